import type { WriteMode } from '../domain/account.js';
import type { Principal } from './auth/principals.js';
import type { HttpError } from './errors.js';
import type { Description } from './openapi/description.js';

/** Properties that this service adds to Fastify's requests and routes. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`, before the body is read. */
    principal: Principal | null;
    /** Why a body of this media type is rejected; ignored if the body is empty. */
    bodyError: HttpError | null;
    /** The run to which the request belongs, as soon as it is known. */
    runId: number | null;
    /** The mode of its run. */
    writeMode: WriteMode;
    /** Whether its run asks for missing accounts. */
    isMirrored: boolean;
    /** Number of records in the request. */
    records: number;
    /** Number of records that an import did not store, although the request itself succeeded. */
    rejectedRecords: number;
    /** Dry runs store nothing, and record no rejections. */
    isDryRun: boolean;
  }
  interface FastifyContextConfig {
    /** The name of the operation in logs and metrics. */
    operation?: string;
    /** For the OpenAPI document. */
    description?: Description;
    /** Logged at level debug: machines send such requests every few seconds. */
    quiet?: boolean;
    /** Stores accounts, so rejected requests are recorded for `GET /api/v2/rejections`. */
    syncs?: boolean;
    /** Reads its own body, of any length; the body timeout restarts whenever bytes arrive. */
    streams?: boolean;
  }
}
