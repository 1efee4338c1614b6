import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type HttpError, httpError } from '../errors.js';
import type { RequestMemory } from './request-memory.js';

const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;|$)/i;
const RECORDS_MEDIA_TYPE = /^\s*application\/(x-ndjson|json)\s*(;|$)/i;

/**
 * Bodies reach the handlers as bytes, or as `undefined` where there are none. Anything but JSON is refused at its
 * first byte, so the media type is judged before the size.
 */
export function useJsonBodyParser(app: FastifyInstance, bodies: RequestMemory): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    bodies.read(request, payload, done);
  });
  app.addContentTypeParser('*', ({ bodyError }, payload, done) => {
    let isEmpty = true;
    payload.once('data', () => {
      isEmpty = false;
      done(bodyError);
    });
    payload.once('end', () => isEmpty && done(null));
  });
  app.decorateRequest('bodyError', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.bodyError = bodyError(request);
    // Without the header the framework takes the parser for `*`, or none where there is no body.
    if (request.bodyError !== null) delete request.headers['content-type'];
    done();
  });
}

function bodyError({ headers, routeOptions }: FastifyRequest): HttpError | null {
  const type = headers['content-type'] ?? '';
  if (routeOptions.config.streams) {
    if (!RECORDS_MEDIA_TYPE.test(type)) return httpError('content_type_not_records');
  } else if (!JSON_MEDIA_TYPE.test(type)) {
    return httpError('content_type_not_json');
  }
  const encoding = headers['content-encoding']?.trim() ?? '';
  return ['', 'identity'].includes(encoding.toLowerCase())
    ? null
    : httpError('content_encoding_unsupported', encoding);
}
