import { availableParallelism } from 'node:os';
import { type OidcSettings, readSignIn, type SignInMethod } from './config-sign-in.js';
import { keyWeakness } from './domain/api-key.js';
import { DEFAULT_REJECTION_DAYS, REJECTION_DAYS } from './domain/tenant.js';
import {
  asHost,
  asNetwork,
  asOrigin,
  asPublicUrl,
  type Environment,
  integer,
  list,
  oneOf,
  settingReader,
} from './setting-values.js';
import { BadDatabaseUrl, parseDatabaseUrl } from './store/database-url.js';

export { isLoopback, type OidcSettings, type SignInMethod } from './config-sign-in.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Paths of PEM files. */
export interface TlsFiles {
  /** The certificate chain: the server certificate first, then the intermediates. */
  readonly cert: string;
  readonly key: string;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** If set, the server uses HTTPS. */
  readonly tls: TlsFiles | undefined;
  /** The database URL, in a form that `parseDatabaseUrl` accepts. */
  readonly database: string;
  /** The maximum number of PostgreSQL connections per process. */
  readonly poolSize: number;
  /** The number of threads per process that parse, validate and write requests; on PostgreSQL. */
  readonly ingestThreads: number;
  /** The number of server processes. */
  readonly workers: number;
  /** The first key of the first tenant, if the operator provides one. */
  readonly apiKey: string | undefined;
  readonly maxBodyBytes: number;
  readonly maxBatch: number;
  /** Requests per minute and key; `undefined` means no limit. */
  readonly rateLimit: number | undefined;
  /** The allowed origins; empty allows none, `*` allows all. */
  readonly corsOrigins: readonly string[];
  /** How long rejections are kept if the tenant does not set it. */
  readonly rejectionDays: number;
  /** After how many minutes without a request an implicit run ends. */
  readonly runSilenceMinutes: number;
  /** Names, addresses and networks that webhooks may have although they are private. */
  readonly webhookPrivateHosts: readonly string[];
  /** The address at which browsers reach the service, without a path; undefined for that of each request. */
  readonly publicUrl: string | undefined;
  /** What people may sign in to the console with. */
  readonly signInMethods: readonly SignInMethod[];
  /** Set if people may sign in by OpenID Connect. */
  readonly oidc: OidcSettings | undefined;
  /** How long a browser stays signed in. */
  readonly sessionHours: number;
  /** How long a stopping server still accepts requests. */
  readonly drainSeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Whether, or from which addresses, the server trusts `X-Forwarded-*` headers. */
  readonly trustProxy: boolean | readonly string[];
}

/** All environment variables that `readConfig` reads, except DATABASE_URL. */
export const SETTINGS = [
  'HOST',
  'PORT',
  'TLS_CERT',
  'TLS_KEY',
  'DATA_DIR',
  'POOL_SIZE',
  'INGEST_THREADS',
  'WORKERS',
  'API_KEY',
  'MAX_BODY_BYTES',
  'MAX_BATCH',
  'RATE_LIMIT',
  'CORS_ORIGINS',
  'REJECTION_DAYS',
  'RUN_SILENCE_MINUTES',
  'WEBHOOK_PRIVATE_HOSTS',
  'PUBLIC_URL',
  'SIGN_IN',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_SCOPE',
  'OIDC_ROLES_CLAIM',
  'OIDC_ROLES',
  'OIDC_TRUST_EMAIL',
  'SESSION_HOURS',
  'DRAIN_SECONDS',
  'LOG_LEVEL',
  'TRUST_PROXY',
].map((name) => `ACCOUNT_SYNC_${name}`);

/** Thrown with one sentence for each invalid setting. */
export class BadConfig extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  const read = settingReader(env, problems);
  const dataDir = read('DATA_DIR', './data', (text) => text, '');
  const database = readDatabaseUrl(env.DATABASE_URL, problems) ?? `sqlite://${dataDir}`;
  const readWorkers = () => {
    const workers = read('WORKERS', 1, integer(1, 256), 'must be a whole number from 1 to 256');
    if (workers > 1 && database.startsWith('sqlite:')) {
      problems.push(
        'ACCOUNT_SYNC_WORKERS must be 1 with SQLite, which supports one server process. For more workers, set DATABASE_URL to a PostgreSQL database.',
      );
    }
    return workers;
  };
  const readTls = (): TlsFiles | undefined => {
    const cert = read('TLS_CERT', '', (text) => text, '');
    const key = read('TLS_KEY', '', (text) => text, '');
    if (cert !== '' && key !== '') return { cert, key };
    if (cert !== key) {
      const [given, missing] = cert === '' ? ['KEY', 'CERT'] : ['CERT', 'KEY'];
      problems.push(
        `ACCOUNT_SYNC_TLS_${given} is set, but ACCOUNT_SYNC_TLS_${missing} is not. Set both, or neither for plain HTTP.`,
      );
    }
    return undefined;
  };
  const config: Config = {
    host: read('HOST', '127.0.0.1', asHost, 'must be a host name or an IP address'),
    port: read('PORT', 8080, integer(0, 65_535), 'must be a whole number from 0 to 65535'),
    tls: readTls(),
    database,
    poolSize: read('POOL_SIZE', 10, integer(2, 500), 'must be a whole number from 2 to 500'),
    ingestThreads: read(
      'INGEST_THREADS',
      Math.min(availableParallelism() + 1, 5),
      integer(1, 64),
      'must be a whole number from 1 to 64',
    ),
    workers: readWorkers(),
    apiKey: readApiKey(env.ACCOUNT_SYNC_API_KEY, problems),
    maxBodyBytes: read(
      'MAX_BODY_BYTES',
      10 * 1024 * 1024,
      integer(1024, 256 * 1024 * 1024),
      'must be a whole number of bytes from 1024 to 268435456',
    ),
    // The contract recommends batches of 200 records; the minimum of 201 never rejects such a batch.
    maxBatch: read('MAX_BATCH', 5_000, integer(201, 100_000), 'must be a whole number from 201 to 100000'),
    rateLimit: read<number | undefined>(
      'RATE_LIMIT',
      undefined,
      integer(1, 1_000_000),
      'must be a whole number of requests a minute from 1 to 1000000',
    ),
    corsOrigins: read(
      'CORS_ORIGINS',
      [],
      list(asOrigin),
      'must be * or origins such as https://app.example.com, separated by commas',
    ),
    rejectionDays: read(
      'REJECTION_DAYS',
      DEFAULT_REJECTION_DAYS,
      integer(REJECTION_DAYS.min, REJECTION_DAYS.max),
      `must be a whole number from ${REJECTION_DAYS.min} to ${REJECTION_DAYS.max}`,
    ),
    runSilenceMinutes: read(
      'RUN_SILENCE_MINUTES',
      5,
      integer(1, 720),
      'must be a whole number from 1 to 720',
    ),
    webhookPrivateHosts: read(
      'WEBHOOK_PRIVATE_HOSTS',
      [],
      list((text) => asNetwork(text) ?? asHost(text)),
      'must be host names, IP addresses and networks such as 10.0.0.0/8, separated by commas',
    ),
    publicUrl: read<string | undefined>(
      'PUBLIC_URL',
      undefined,
      asPublicUrl,
      'must be an address without a path, such as https://accounts.example.com',
    ),
    ...readSignIn(read, problems),
    sessionHours: read('SESSION_HOURS', 12, integer(1, 720), 'must be a whole number from 1 to 720'),
    drainSeconds: read('DRAIN_SECONDS', 1, integer(0, 5), 'must be a whole number from 0 to 5'),
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS), `must be one of ${LOG_LEVELS.join(', ')}`),
    trustProxy: read<boolean | readonly string[]>(
      'TRUST_PROXY',
      false,
      (text) => (text === 'true' ? true : text === 'false' ? false : list(asNetwork)(text)),
      'must be true, false, or IP addresses and networks such as 10.0.0.0/8, separated by commas',
    ),
  };
  if (problems.length > 0) throw new BadConfig(problems);
  return config;
}

/** The error does not repeat the URL, because it can contain a password. */
function readDatabaseUrl(url: string | undefined, problems: string[]): string | undefined {
  const text = url?.trim();
  if (text === undefined || text === '') return undefined;
  try {
    parseDatabaseUrl(text);
  } catch (error) {
    if (!(error instanceof BadDatabaseUrl)) throw error;
    problems.push(`DATABASE_URL ${error.message}.`);
  }
  return text;
}

/** The error does not repeat the key, because it is a secret. */
function readApiKey(key: string | undefined, problems: string[]): string | undefined {
  if (key === undefined || key === '') return undefined;
  const weakness = keyWeakness(key);
  if (weakness !== undefined) problems.push(`ACCOUNT_SYNC_API_KEY ${weakness}.`);
  return key;
}
