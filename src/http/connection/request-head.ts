import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isAuthority } from '../../domain/host-name.js';
import { type HttpError, httpError, methodNotAllowed } from '../errors.js';

/** Well below 2,000, after which Node silently drops headers. */
const MAX_HEADERS = 200;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/** Checks that every request must pass. `forHost` is the host that a trusted proxy forwards, or else the Host. */
export function checkRequestHead(
  { httpVersion, headers, rawHeaders }: IncomingMessage,
  forHost: string,
): HttpError | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return httpError('too_many_headers', MAX_HEADERS);
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return httpError('http_version_unsupported');
  const { host, 'transfer-encoding': coding } = headers;
  if (host === undefined && httpVersion === '1.1') return httpError('host_missing');
  // A Host header that was sent twice is joined with a comma, which is not a valid authority.
  if (!isAuthority(host ?? '') || !isAuthority(forHost)) return httpError('host_invalid');
  if (coding === undefined) return undefined;
  // HTTP/1.0 has no chunked coding: proxies on the way would read the body differently (request smuggling).
  const isSupported = coding.toLowerCase() === 'chunked' && httpVersion === '1.1';
  return isSupported ? undefined : httpError('transfer_encoding_unsupported');
}

/** The path of a request in absolute form, as sent to proxies; the host of its URL replaces Host (RFC 9112, 3.2.2). */
export function originForm({ url = '', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [origin, host] = ABSOLUTE_FORM.exec(url) ?? [];
  if (origin === undefined) return url;
  headers.host = host;
  const path = url.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Rejects unknown paths with 404, and unknown methods with 405, before authentication and before a body is read. */
export function rejectUnknownPaths(app: FastifyInstance): void {
  const routes: { readonly form: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const form = url
      .replaceAll('.', '\\.')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*');
    routes.push({ form: new RegExp(`^${form}$`), methods: [method].flat() });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = routes.filter(({ form }) => form.test(path)).flatMap(({ methods }) => methods);
    done(allowed.length === 0 ? httpError('path_not_found') : methodNotAllowed([...new Set(allowed)]));
  });
  // For files that a static page refers to and that do not exist.
  app.setNotFoundHandler(() => {
    throw httpError('path_not_found');
  });
}
