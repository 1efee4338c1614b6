import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isAuthority } from '../../domain/host-name.js';
import { type HttpError, httpError, methodNotAllowed } from '../errors.js';

/** Node leaves out what comes behind 2,000 of them, whatever it is. */
const MAX_HEADERS = 200;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/** What no request may be like, whatever it asks for. `forHost` is what a trusted proxy was asked for, or else the Host. */
export function checkRequestHead(
  { httpVersion, headers, rawHeaders }: IncomingMessage,
  forHost: string,
): HttpError | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return httpError('too_many_headers', MAX_HEADERS);
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return httpError('http_version_unsupported');
  const { host, 'transfer-encoding': coding } = headers;
  if (host === undefined && httpVersion === '1.1') return httpError('host_missing');
  // Where it was sent twice, both are here, with a comma between them.
  if (!isAuthority(host ?? '') || !isAuthority(forHost)) return httpError('host_invalid');
  if (coding === undefined) return undefined;
  // HTTP/1.0 has no chunks: others on the way would take them for something else.
  const isUnderstood = coding.toLowerCase() === 'chunked' && httpVersion === '1.1';
  return isUnderstood ? undefined : httpError('transfer_encoding_unsupported');
}

/** The path of a request that was sent as if to a proxy: then its URL says which host is meant (RFC 9112, 3.2.2). */
export function originForm({ url = '', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [origin, host] = ABSOLUTE_FORM.exec(url) ?? [];
  if (origin === undefined) return url;
  headers.host = host;
  const path = url.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** 404, or 405 where the path has other methods: before any body is read, and without a key. */
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
  // Files of a page that are not there.
  app.setNotFoundHandler(() => {
    throw httpError('path_not_found');
  });
}
