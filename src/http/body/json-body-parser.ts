import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type HttpError, httpError } from '../errors.js';
import type { RequestMemory } from './request-memory.js';

const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;|$)/i;
const RECORDS_MEDIA_TYPE = /^\s*application\/(x-ndjson|json)\s*(;|$)/i;

/**
 * Handlers get the bytes of a JSON body, or `undefined` if it is empty. A body of another media type is rejected at its
 * first byte, so the media type is checked before the size, and an empty body needs no media type.
 */
export function useJsonBodyParser(app: FastifyInstance, memory: RequestMemory): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    memory.read(request, payload, done);
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
    // Without the header Fastify uses the parser for `*`, or none if there is no body.
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
