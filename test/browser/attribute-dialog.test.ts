import { describe, expect, it } from 'vitest';
import { type OwnTenant, ownTenant, request } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

/** A tenant with attributes that fill more than a screen. */
async function tenantWithMany(): Promise<OwnTenant> {
  const tenant = await ownTenant();
  for (let n = 10; n < 40; n += 1) {
    const path = `/api/v2/attributes/custom_Field_${n}`;
    expect((await request(tenant.key, 'PUT', path, { type: 'text' })).status).toBe(201);
  }
  return tenant;
}

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const button = (visitor: Visitor, name: string) => dialog(visitor).getByRole('button', { name, exact: true });
const focused = ({ page }: Visitor) => page.locator(':focus').innerText();

describe.each(WIDTHS)('the dialog of an attribute, %o', ({ onPhone }) => {
  it('leads to the changed row, which has the focus and a note with the label', async () => {
    const tenant = await tenantWithMany();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/attributes?open=custom_Field_10', tenant.key);
    await page.getByRole('button', { name: 'Edit' }).click();
    await button(visitor, 'Save').waitFor();
    const { height = 0 } = page.viewportSize() ?? {};
    const footer = await button(visitor, 'Save').boundingBox();
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(height);
    await visitor.inspect('attribute-dialog');
    await dialog(visitor).getByLabel('Label').fill('Zone');
    await button(visitor, 'Save').click();
    await dialog(visitor).waitFor({ state: 'detached' });
    const note = page.getByText('Zone was changed.');
    await note.waitFor();
    await expect.poll(() => focused(visitor)).toContain('Zone');
    // The extra history entry is gone, and the row is still open.
    await expect.poll(() => page.evaluate('history.scrollRestoration')).toBe('auto');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(new URL(page.url()).search).toBe('?open=custom_Field_10');
    const place = await note.boundingBox();
    expect(place?.y).toBeGreaterThan(0);
    expect(place?.y).toBeLessThan(height);
    await visitor.inspect('attribute-changed');
    await visitor.leave();
  });

  it('asks before it discards changes, and gives the focus back', async () => {
    const tenant = await ownTenant();
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn('/attributes?open=licenses', tenant.key);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.keyboard.press('Escape');
    await dialog(visitor).waitFor({ state: 'detached' });
    expect(await focused(visitor)).toBe('Edit');

    await page.keyboard.press('Enter');
    await dialog(visitor).getByLabel('Label').fill('Seats');
    await page.keyboard.press('Escape');
    await dialog(visitor).getByText('Your changes are not saved.').waitFor();
    await visitor.inspect('attribute-leave');
    await button(visitor, 'Keep editing').click();
    await page.goBack();
    await dialog(visitor).getByText('Your changes are not saved.').waitFor();
    await button(visitor, 'Discard changes').click();
    await dialog(visitor).waitFor({ state: 'detached' });
    expect(await focused(visitor)).toBe('Edit');
    expect((await request(tenant.key, 'GET', '/api/v2/attributes/licenses')).body.label).toBeNull();
    await visitor.leave();
  });
});
