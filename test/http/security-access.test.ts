import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../dist/domain/api-key.js';
import { UNAUTHENTICATED as CONTRACT_UNAUTHENTICATED } from '../../dist/domain/messages.js';
import { databases } from '../support/databases.js';
import { type Dump, dumpLasting } from '../support/dump-tables.js';
import { LEAST, scopeSetsFor } from './access-table.js';
import { addSession, EXAMPLE_IDS } from './add-user.js';
import { Browsers, UNAUTHENTICATED } from './browsers.js';
import { pathOf, requiredHeaders } from './described-server.js';
import { exampleBody } from './example-body.js';
import { addObjectsOfExamples } from './objects-of-examples.js';
import { type Described, inUsefulOrder, OpenapiDocument } from './openapi-document.js';
import { problem, type Tenant, useServer } from './v2-server.js';
import { type Credential, wrongCredentials } from './wrong-credentials.js';

/** Operations that need no credentials, and send none in their bodies. */
const isOpen = (name: string) => LEAST[name] === 'open' && name !== 'sign-in';

describe.each(databases)('every operation of the document on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  let document: OpenapiDocument;
  let guarded: Described[];
  let acme: Tenant;
  let wrong: Record<string, Credential>;

  beforeAll(async () => {
    document = await OpenapiDocument.of(server.app);
    const needKeys = document.operations.filter(({ name }) => !isOpen(name));
    const heads = needKeys
      .filter(({ method, path }) => {
        const url = path.replace(/{(\w+)}/g, ':$1');
        return method === 'GET' && server.app.hasRoute({ method: 'HEAD', url });
      })
      .map((described) => ({ ...described, method: 'HEAD' }) as const);
    guarded = [...needKeys, ...heads];
    acme = await server.tenant();
    await addObjectsOfExamples(acme);
    wrong = await wrongCredentials(server, acme);
  });

  let calls = 0;
  async function call(described: Described, { headers = {}, query, key = '' }: Credential) {
    const [type] = Object.keys(described.operation.requestBody?.content ?? {});
    const body = exampleBody(document, described, { key });
    calls += 1;
    const {
      statusCode,
      headers: answered,
      body: text,
    } = await server.app.inject({
      method: described.method,
      url: `${pathOf(described)}${query === undefined ? '' : `?${query}`}`,
      headers: {
        'x-request-id': 'r',
        ...requiredHeaders(described),
        ...(type && { 'content-type': type }),
        ...headers,
      },
      // Failed sign-ins are limited by address.
      remoteAddress: `10.0.${calls >> 8}.${calls & 255}`,
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: statusCode,
      body: text,
      type: answered['content-type'],
      authenticate: answered['www-authenticate'],
    };
  }

  const isContract = ({ path }: Described) => path.startsWith('/api/v1_1/');
  const contractError = { success: false, error: CONTRACT_UNAUTHENTICATED, status: 403 };

  async function expectUnauthenticated(operations: readonly Described[], sent: Credential): Promise<void> {
    const before = await dumpLasting(server.databaseUrl);
    for (const described of operations) {
      const body = JSON.stringify(isContract(described) ? contractError : UNAUTHENTICATED);
      const answer = await call(described, sent);
      if (described.name === 'sign-in' && sent.query !== undefined) {
        // Its credentials are in its body, which is read after the query was rejected.
        expect(answer.status).toBe(400);
        continue;
      }
      expect(answer, `${described.method} ${described.name}`).toEqual({
        status: 401,
        authenticate: 'Bearer',
        type: `application/${isContract(described) ? '' : 'problem+'}json; charset=utf-8`,
        body: described.method === 'HEAD' ? '' : body,
      });
    }
    expect(await dumpLasting(server.databaseUrl)).toEqual(before);
  }

  it('is listed either with its scopes or as open', () => {
    const names = document.operations.map(({ name }) => name);
    expect(names.sort()).toEqual(Object.keys(LEAST).sort());
    for (const { name, operation } of document.operations) {
      const scopes = operation.security.flatMap((one) => one.key ?? []);
      const [needed, ...others] = scopeSetsFor(name);
      expect([name, scopes]).toEqual([name, others.length > 0 ? [] : (needed ?? [])]);
    }
  });

  it('rejects every wrong credential, and changes nothing', async () => {
    const kinds = Object.entries(wrong);
    expect(kinds.length).toBeGreaterThan(30);
    for (const [what, sent] of kinds) {
      await expectUnauthenticated(guarded, sent).catch((error) => {
        throw new Error(`with ${what}: ${error.message}`);
      });
    }
  });

  it('of the contract accepts no session', async () => {
    const headers = await new Browsers(server).session(acme.key);
    await expectUnauthenticated(guarded.filter(isContract), { headers });
  });

  it('rejects two Authorization headers, whichever of them is valid', async () => {
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const statusOf = async (...authorization: string[]) => {
      const sent = request(`${url}/api/v2/status`);
      sent.setHeader(
        'authorization',
        authorization.map((key) => `Bearer ${key}`),
      );
      const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusOf('x'.repeat(40), acme.key)).toBe(401);
    expect(await statusOf(acme.key, 'x'.repeat(40))).toBe(401);
    expect(await statusOf(acme.key)).toBe(200);
  });

  it('rejects keys without its scope, and changes nothing', async () => {
    const sets = SCOPES.flatMap((one) => [[one], SCOPES.filter((scope) => scope !== one)]);
    const keys = await Promise.all(sets.map(async (scopes) => ({ scopes, key: await acme.addKey(scopes) })));
    const before = await dumpLasting(server.databaseUrl);
    for (const described of guarded) {
      const sufficient = scopeSetsFor(described.name === 'sign-in' ? 'get-session' : described.name);
      for (const { scopes, key } of keys) {
        if (sufficient.some((set) => set.every((scope) => scopes.includes(scope)))) continue;
        const lacking = sufficient[0]?.find((scope) => !scopes.includes(scope));
        const message = `This key lacks the scope ${lacking}.`;
        const envelope = { success: false, errors: [message], errors_by_attributes: [] };
        const body = JSON.stringify(
          isContract(described) ? envelope : problem(403, 'scope_missing', message),
        );
        const answer = await call(described, { headers: { authorization: `Bearer ${key}` }, key });
        expect(answer, `${described.name} ${scopes}`).toEqual({
          status: 403,
          authenticate: undefined,
          type: `application/${isContract(described) ? '' : 'problem+'}json; charset=utf-8`,
          body: described.method === 'HEAD' ? '' : body,
        });
      }
    }
    expect(withoutRejections(await dumpLasting(server.databaseUrl))).toEqual(withoutRejections(before));
  });

  it('accepts a key that has only its scopes', async () => {
    const before = await dumpLasting(server.databaseUrl);
    const admin = await acme.addKey(['admin']);
    for (const described of inUsefulOrder(guarded)) {
      for (const scopes of scopeSetsFor(described.name)) {
        const key = scopes[0] === 'admin' ? admin : await acme.addKey(scopes);
        const session = { userId: key.slice(4, 12), tenantId: acme.id, at: server.now };
        if (described.name === 'end-session')
          await addSession(server.store, { ...session, id: EXAMPLE_IDS.session });
        const { status, body } = await call(described, { headers: { authorization: `Bearer ${key}` }, key });
        expect([200, 201, 204, 409], `${described.name} ${status} ${body}`).toContain(status);
      }
    }
    expect(await dumpLasting(server.databaseUrl)).not.toEqual(before);
  });
});

/** Rejections of authenticated requests are recorded for their tenant, so these tables may change. */
function withoutRejections(dump: Dump): Dump {
  const recorded = ['rejection', 'period_count', 'sqlite_sequence'];
  return Object.fromEntries(Object.entries(dump).filter(([table]) => !recorded.includes(table)));
}
