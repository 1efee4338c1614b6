import type { Answer, V2Server } from './v2-server.js';
import { problem } from './v2-server.js';

type Headers = Readonly<Record<string, string>>;

export const COOKIE = /^account_sync_session=([A-Za-z0-9_-]{43}); (.*)$/;
export const UNAUTHENTICATED = problem(
  401,
  'unauthenticated',
  'Send a key that is live: Authorization: Bearer <key>.',
);

/** Headers that browsers send. */
export class Browsers {
  constructor(readonly server: V2Server) {}

  send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    headers: Headers,
    payload?: object,
  ): Promise<Answer> {
    return this.server.inject({
      method,
      url: `/api/v2${path}`,
      headers: { 'x-request-id': 'r', ...headers },
      ...(payload && { payload }),
    });
  }

  signIn(key: string, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', '/session', headers, { key });
  }

  whoAmI(headers: Headers): Promise<Answer> {
    return this.send('GET', '/session', headers);
  }

  signOut(headers: Headers): Promise<Answer> {
    return this.send('DELETE', '/session', headers);
  }

  /** Headers of a browser that has signed in. */
  async session(key: string) {
    return withToken(tokenOf(await this.signIn(key)));
  }
}

export function tokenOf({ headers }: Answer): string {
  return COOKIE.exec(String(headers['set-cookie']))?.[1] ?? '';
}

export function withToken(token: string) {
  return { cookie: `account_sync_session=${token}`, 'x-account-sync-console': '1' };
}
