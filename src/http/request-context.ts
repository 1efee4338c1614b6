import type { Principal } from './auth/principals.js';
import type { HttpError } from './errors.js';
import type { Description } from './openapi/description.js';

/** What this service adds to the framework's requests and routes. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`, before the body is read. */
    principal: Principal | null;
    /** Why no body of this kind is read; does not matter where the body is empty. */
    bodyError: HttpError | null;
    /** How many records the request carried. */
    records: number;
    /** How many of them were refused, where others were not. */
    refused: number;
    /** Stores nothing, so nobody is to find it among what was refused. */
    isDryRun: boolean;
  }
  interface FastifyContextConfig {
    /** The name of the operation in logs and metrics. */
    operation?: string;
    /** For the document. */
    description?: Description;
    /** Asked for every few seconds by machines: of interest only to somebody who looks closer. */
    quiet?: boolean;
    /** Stores accounts: who sends to it wants to know later what was refused. */
    syncs?: boolean;
    /** Takes records in a body of any length, which it reads itself, for as long as it goes on arriving. */
    streams?: boolean;
  }
}
