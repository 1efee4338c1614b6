import { expect } from 'vitest';
import type { Role } from '../../dist/domain/user.js';
import { tokenOf, withToken } from './browsers.js';
import type { Answer, Tenant } from './v2-server.js';

/** A user of a tenant who has accepted an invitation, and is signed in. */
export class SignedInUser {
  private constructor(
    readonly tenant: Tenant,
    readonly id: string,
    readonly name: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  static async of(
    tenant: Tenant,
    { name = 'Kim', role = 'editor' }: { readonly name?: string; readonly role?: Role } = {},
  ): Promise<SignedInUser> {
    const email = `${name.toLowerCase()}@${tenant.name}.example`;
    const invited = await tenant.call('POST', '/invitations', { email, role });
    expect(invited.status).toBe(201);
    const token = new URL(invited.body.url).hash.slice(1);
    const joined = await tenant.server.inject({
      method: 'POST',
      url: '/api/v2/links/redeem',
      payload: { token, name, password: 'correct horse battery' },
    });
    expect([joined.status, joined.body.user]).toEqual([201, { id: expect.any(String), email, name, role }]);
    return new SignedInUser(tenant, joined.body.user.id, name, withToken(tokenOf(joined)));
  }

  /** As others see it. */
  get shown() {
    return { id: this.id, name: this.name };
  }

  async call(
    method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.tenant.server.inject({
      method,
      url: `/api/v2${path}`,
      headers: { 'x-request-id': 'by-user', ...this.headers, ...headers },
      ...(body !== undefined && { payload: body }),
    });
  }
}
