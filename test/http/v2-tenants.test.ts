import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { routesOf } from './v2-routes.js';
import { eventually, type Tenant, useServer } from './v2-server.js';

const IDS = ['a', 'b', 'x/ü'];
const id = fc.constantFrom(...IDS);

/** An action of a tenant; every text that it writes contains its mark. */
const write = fc.oneof(
  fc.record({ kind: fc.constant('sync' as const), id, parent: id, licenses: fc.nat(9) }),
  fc.record({ kind: fc.constant('erase' as const), id }),
  fc.record({ kind: fc.constant('attribute' as const), indexed: fc.boolean() }),
  fc.record({ kind: fc.constant('block' as const) }),
  fc.record({
    kind: fc.constant('settings' as const),
    undeclared: fc.constantFrom('keep' as const, 'reject' as const),
  }),
  fc.record({ kind: fc.constant('key' as const) }),
  fc.record({ kind: fc.constant('rejection' as const), id }),
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

describe.each(databases)('two tenants with the same ids on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  async function apply(tenant: Tenant, mark: string, action: Write): Promise<void> {
    const { store } = server;
    const request = { tenantId: tenant.id, requestId: mark, senderId: mark, at: server.now, bytes: 1 };
    switch (action.kind) {
      case 'sync': {
        const fields = {
          name: mark,
          licenses: action.licenses,
          custom_X: mark,
          ...(action.parent !== action.id && { parent_account_id: action.parent }),
        };
        await store.upsert({ ...request, patches: [{ accountId: action.id, fields }] });
        return;
      }
      case 'erase':
        await tenant.call('DELETE', `/accounts/${encodeURIComponent(action.id)}`);
        return;
      case 'attribute': {
        const body = { type: 'choice', choices: [mark], indexed: action.indexed };
        await tenant.call('PUT', '/attributes/custom_X', body);
        return;
      }
      case 'block':
        await tenant.call('POST', '/blocked-ids', { pattern: mark });
        return;
      case 'settings':
        await tenant.call('PATCH', '/settings', { undeclared_fields: action.undeclared });
        return;
      case 'key':
        await tenant.call('POST', '/keys', { scopes: ['read'], label: mark });
        return;
      case 'rejection': {
        const rejected = {
          ...request,
          runId: null,
          operation: 'o',
          status: 400,
          place: null,
          errors: null,
          problem: mark,
        };
        const rejections = [{ ...rejected, accountId: action.id, record: { account_id: mark } }];
        const all = [{ tenantId: tenant.id, rejections, total: new Map([[server.now, 1]]) }];
        await store.jobs.recordRejections(all, server.now);
      }
    }
  }

  /** Reads everything that a tenant can read. */
  async function readAll(tenant: Tenant): Promise<Record<string, unknown>> {
    // After everything is counted, everything can be read.
    await eventually(async () =>
      expect(await server.store.jobs.countChanges(tenant.id, server.now)).toBe(true),
    );
    const answers: Record<string, unknown> = {};
    const filters = [
      'id_prefix=a',
      'name_prefix=of',
      'parent=a',
      'search=of',
      'sort=-name',
      'parent=a&sort=name',
      'attribute=licenses:1',
      'sort=updated',
      'sort=-updated',
      'count=true',
    ];
    const reads = routesOf(server.app)
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) =>
        path.includes('/accounts/:id')
          ? IDS.map((one) => path.replace(':id', encodeURIComponent(one)))
          : [path.replace(':name', 'custom_X')],
      );
    for (const path of [...reads, ...filters.map((filter) => `/api/v2/accounts?${filter}`)]) {
      const { status, body } = await tenant.get(path.replace('/api/v2', ''));
      answers[path] = [status, body];
    }
    answers.check = (await tenant.call('POST', '/attributes/custom_X/check', { type: 'text' })).body;
    // The rules that define `undeclared` are cached, so it may be out of date; everything else is read from the store.
    return JSON.parse(JSON.stringify(answers), (key, value) =>
      key === 'undeclared' && typeof value[0] === 'string' ? [] : value,
    );
  }

  it('never see data of each other, whatever either does', async () => {
    const writes = fc.array(write, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(writes, writes, writes, async (ours, theirs, later) => {
        const [our, their] = [await server.tenant(), await server.tenant()];
        for (const action of ours) await apply(our, 'of-us', action);
        for (const action of theirs) await apply(their, 'of-them', action);
        const before = await readAll(our);
        expect(JSON.stringify(before)).not.toContain('of-them');
        expect(JSON.stringify(before)).not.toContain(their.keyId);
        for (const action of later) await apply(their, 'of-them', action);
        expect(await readAll(our)).toEqual(before);
        expect(JSON.stringify(await readAll(their))).not.toContain('of-us');
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});
