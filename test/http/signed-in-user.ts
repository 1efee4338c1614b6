import type { Role } from '../../dist/domain/user.js';
import { addSession, addUser } from './add-user.js';
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
    const { id: tenantId, server } = tenant;
    const email = `${name.toLowerCase()}@${tenant.name}.example`;
    const id = await addUser(server.store, { tenantId, role, email, name, at: server.now });
    const headers = await addSession(server.store, { userId: id, tenantId, at: server.now });
    return new SignedInUser(tenant, id, name, headers);
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
