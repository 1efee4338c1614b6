import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Refusal, refusals } from '../errors.js';
import type { ArrivingBodies } from './request-memory.js';

const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;|$)/i;
const RECORDS_MEDIA_TYPE = /^\s*application\/(x-ndjson|json)\s*(;|$)/i;

/**
 * Bodies reach the handlers as bytes, or as `undefined` where there are none. Anything but JSON is refused at its
 * first byte, so the media type is judged before the size.
 */
export function acceptJsonBytes(app: FastifyInstance, bodies: ArrivingBodies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    bodies.read(request, payload, done);
  });
  app.addContentTypeParser('*', ({ bodyRefusal }, payload, done) => {
    let isEmpty = true;
    payload.once('data', () => {
      isEmpty = false;
      done(bodyRefusal);
    });
    payload.once('end', () => isEmpty && done(null));
  });
  app.decorateRequest('bodyRefusal', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.bodyRefusal = bodyRefusal(request);
    // Without the header the framework takes the parser for `*`, or none where there is no body.
    if (request.bodyRefusal !== null) delete request.headers['content-type'];
    done();
  });
}

function bodyRefusal({ headers, routeOptions }: FastifyRequest): Refusal | null {
  const type = headers['content-type'] ?? '';
  if (routeOptions.config.streams) {
    if (!RECORDS_MEDIA_TYPE.test(type)) return refusals.noRecords();
  } else if (!JSON_MEDIA_TYPE.test(type)) {
    return refusals.notJson();
  }
  const encoding = headers['content-encoding']?.trim() ?? '';
  return ['', 'identity'].includes(encoding.toLowerCase()) ? null : refusals.encoded(encoding);
}
