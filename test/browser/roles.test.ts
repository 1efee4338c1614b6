import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/domain/user.js';
import { type OwnTenant, ownTenant, request, send } from './own-tenant.js';
import { memberOf } from './people.js';
import { browserForTests, type Visitor } from './visitor.js';

const browser = browserForTests();

const ROLES = ['viewer', 'editor', 'admin'] as const;
/** The roles that may do something. */
const EDITORS: readonly Role[] = ['editor', 'admin'];
const ADMINS: readonly Role[] = ['admin'];

let tenant: OwnTenant;
let runId: string;

beforeAll(async () => {
  tenant = await ownTenant();
  await send(tenant.key, { account_id: 'acme', custom_Tier: 'gold' });
  // Rejected, with a record that can be tried.
  await send(tenant.key, { account_id: 'acme', licenses: 'many' });
  runId = (await request(tenant.key, 'GET', '/api/v2/runs')).body.data[0].id;
});

/** The pages, what identifies each, and what only some roles can do there. */
const PAGES: readonly {
  readonly path: () => string;
  readonly heading: RegExp;
  readonly actions: readonly (readonly [kind: 'button' | 'link', name: RegExp, roles: readonly Role[]])[];
}[] = [
  { path: () => '', heading: /^Overview$/, actions: [] },
  { path: () => '/accounts', heading: /^Accounts$/, actions: [] },
  {
    path: () => '/accounts/acme',
    heading: /^acme$/,
    actions: [
      ['button', /^Edit$/, EDITORS],
      ['button', /^Archive$/, EDITORS],
      ['button', /^Delete/, ADMINS],
    ],
  },
  {
    path: () => '/sources',
    heading: /^Sources$/,
    actions: [
      ['button', /^New source$/, ADMINS],
      ['button', /^Edit first$/, ADMINS],
      ['button', /^Remove first$/, ADMINS],
    ],
  },
  { path: () => '/runs', heading: /^Runs$/, actions: [] },
  { path: () => `/runs/${runId}`, heading: /^Run .* of first$/, actions: [['button', /^Undo$/, EDITORS]] },
  {
    path: () => '/rejections?open=licenses:licenses+has+invalid+integer+value',
    heading: /^Rejections$/,
    actions: [['link', /^Try it$/, EDITORS]],
  },
  { path: () => '/attributes', heading: /^Attributes$/, actions: [['button', /^Declare/, ADMINS]] },
  { path: () => '/profile', heading: /^Profile and sessions$/, actions: [] },
];

/** Pages that are not there for other roles. */
const RESTRICTED: readonly (readonly [path: string, heading: string, roles: readonly Role[]])[] = [
  ['/try', 'Try it', EDITORS],
  ['/webhooks', 'Webhooks', ADMINS],
  ['/settings', 'Settings', ADMINS],
  ['/settings/people', 'Settings', ADMINS],
];

const heading = ({ page }: Visitor, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

describe.each(ROLES)('as %s, the console', (role) => {
  it('shows the links and actions that the role allows, and no others', async () => {
    const person = await memberOf(tenant, role);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(person);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await links.allTextContents()).toEqual([
      ...['Overview', 'Accounts', 'Sources', 'Runs', 'Rejections', 'Attributes'],
      ...(ADMINS.includes(role) ? ['Webhooks'] : []),
      ...(EDITORS.includes(role) ? ['Try it'] : []),
      ...(ADMINS.includes(role) ? ['Settings'] : []),
    ]);
    for (const { path, heading: name, actions } of PAGES) {
      await visitor.open(path());
      await heading(visitor, name).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      for (const [kind, action, roles] of actions) {
        const isShown = (await page.getByRole('main').getByRole(kind, { name: action }).count()) > 0;
        expect(isShown, `${action} on ${path()}`).toBe(roles.includes(role));
      }
    }
    await visitor.leave();
  });

  it('has only the pages that the role allows', async () => {
    const person = await memberOf(tenant, role);
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signInAs(person);
    for (const [path, name, roles] of RESTRICTED) {
      await visitor.open(path);
      await heading(visitor, roles.includes(role) ? name : 'Page not found').waitFor();
    }
    if (role === 'viewer') {
      await page.getByText('If the page needs another role, ask an administrator of the tenant.').waitFor();
      await visitor.inspect('role-viewer-not-found');
    }
    await visitor.leave();
  });
});
