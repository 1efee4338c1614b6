import { DAY_MS, timeOf } from './account-fields.js';
import { MINUTE_MS } from './activity.js';
import { BLOCKED, declarationBody, FIRST_ATTRIBUTES, KEYS, type Sender } from './schema.js';
import { call, type Step } from './step.js';

/** How the tenant was set up, a minute each. */
export function firstDay(start: number): Step[] {
  const settings = { by: 'admin', method: 'PATCH', url: '/api/v2/settings', status: 200 } as const;
  const calls = [
    { ...settings, body: { undeclared_fields: 'reject' } },
    ...FIRST_ATTRIBUTES.map((attribute) => {
      const url = `/api/v2/attributes/${attribute.name}`;
      return { by: 'admin', method: 'PUT', url, status: 201, body: declarationBody(attribute) } as const;
    }),
    ...BLOCKED.map((pattern) => {
      const url = '/api/v2/blocked-ids';
      return { by: 'admin', method: 'POST', url, status: 201, body: { pattern } } as const;
    }),
    { ...settings, body: { undeclared_fields: 'keep' } },
  ];
  return calls.map(({ body, ...parts }, i) => call({ ...parts, at: start + (i + 1) * MINUTE_MS }, body));
}

/** The request that makes the key of a sender. */
export function keyStep(sender: Exclude<Sender, 'admin'>, at: number): Step {
  const { label, scopes, days }: { label: string; scopes: readonly string[]; days?: number } = KEYS[sender];
  const expiry = days === undefined ? {} : { expires_at: timeOf(at + days * DAY_MS) };
  const parts = { at, by: 'admin', method: 'POST', url: '/api/v2/keys', status: 201 } as const;
  return call(parts, { label, scopes, ...expiry });
}
