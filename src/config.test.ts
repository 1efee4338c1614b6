import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { BadConfig, readConfig } from './config.js';

const defaults = {
  host: '127.0.0.1',
  port: 8080,
  tls: undefined,
  database: 'sqlite://./data',
  poolSize: 10,
  ingestThreads: Math.min(availableParallelism() + 1, 5),
  workers: 1,
  apiKey: undefined,
  maxBodyBytes: 10_485_760,
  maxBatch: 5_000,
  rateLimit: undefined,
  corsOrigins: [],
  rejectionDays: 7,
  runSilenceMinutes: 5,
  webhookPrivateHosts: [],
  publicUrl: undefined,
  signInMethods: ['password', 'key'],
  oidc: undefined,
  sessionHours: 12,
  drainSeconds: 1,
  logLevel: 'info',
  trustProxy: false,
};

const KEY = '0123456789abcdef0123456789abcdef';

describe('readConfig', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ ACCOUNT_SYNC_PORT: '', ACCOUNT_SYNC_API_KEY: '', ACCOUNT_SYNC_HOST: ' ' })).toEqual(
      defaults,
    );
  });

  it.each([
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'localhost', { host: 'localhost' }],
    ['PORT', ' 0 ', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['DATA_DIR', '/var/lib/account sync', { database: 'sqlite:///var/lib/account sync' }],
    ['POOL_SIZE', '2', { poolSize: 2 }],
    ['INGEST_THREADS', '64', { ingestThreads: 64 }],
    ['WORKERS', '1', { workers: 1 }],
    ['API_KEY', KEY, { apiKey: KEY }],
    ['MAX_BODY_BYTES', '1024', { maxBodyBytes: 1024 }],
    ['MAX_BATCH', '201', { maxBatch: 201 }],
    ['REJECTION_DAYS', '90', { rejectionDays: 90 }],
    ['RUN_SILENCE_MINUTES', '1', { runSilenceMinutes: 1 }],
    [
      'WEBHOOK_PRIVATE_HOSTS',
      'crm.internal, 10.1.0.0/16, ::1',
      { webhookPrivateHosts: ['crm.internal', '10.1.0.0/16', '::1'] },
    ],
    ['SIGN_IN', 'key, password, key', { signInMethods: ['key', 'password'] }],
    ['SESSION_HOURS', '720', { sessionHours: 720 }],
    ['PUBLIC_URL', 'https://Accounts.example.com/', { publicUrl: 'https://accounts.example.com' }],
    ['SIGN_IN', 'password', { signInMethods: ['password'] }],
    ['SIGN_IN', 'key, password', { signInMethods: ['key', 'password'] }],
    ['DRAIN_SECONDS', '0', { drainSeconds: 0 }],
    ['DRAIN_SECONDS', '5', { drainSeconds: 5 }],
    ['RATE_LIMIT', '1', { rateLimit: 1 }],
    ['RATE_LIMIT', '1000000', { rateLimit: 1_000_000 }],
    ['CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
    [
      'CORS_ORIGINS',
      'https://a.example, http://localhost:5173',
      { corsOrigins: ['https://a.example', 'http://localhost:5173'] },
    ],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['TRUST_PROXY', 'true', { trustProxy: true }],
    ['TRUST_PROXY', 'false', { trustProxy: false }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
  ])('reads %s = %j', (name, text, expected) => {
    expect(readConfig({ [`ACCOUNT_SYNC_${name}`]: text })).toEqual({ ...defaults, ...expected });
  });

  it.each([
    ['HOST', 'http://localhost'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', 'tcp://10.0.0.1:8080'],
    ['POOL_SIZE', '1'],
    ['WORKERS', '0'],
    ['MAX_BODY_BYTES', '10MB'],
    ['MAX_BODY_BYTES', '1023'],
    ['MAX_BATCH', '200'],
    ['MAX_BATCH', '1e3'],
    ['REJECTION_DAYS', '0'],
    ['REJECTION_DAYS', '91'],
    ['WEBHOOK_PRIVATE_HOSTS', 'http://crm.internal'],
    ['WEBHOOK_PRIVATE_HOSTS', '10.1.0.0/33'],
    ['WEBHOOK_PRIVATE_HOSTS', 'crm.internal,'],
    ['PUBLIC_URL', '*'],
    ['SIGN_IN', 'password,'],
    ['SESSION_HOURS', '0'],
    ['PUBLIC_URL', 'accounts.example.com'],
    ['PUBLIC_URL', 'https://accounts.example.com/console'],
    ['PUBLIC_URL', 'https://user:password@accounts.example.com'],
    ['PUBLIC_URL', 'ftp://accounts.example.com'],
    ['SIGN_IN', 'passwords'],
    ['SESSION_HOURS', '721'],
    ['DRAIN_SECONDS', '6'],
    ['DRAIN_SECONDS', '0.5'],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT', '1000001'],
    ['RATE_LIMIT', '10/s'],
    ['CORS_ORIGINS', 'app.example.com'],
    ['CORS_ORIGINS', 'https://a.example/'],
    ['CORS_ORIGINS', 'https://a.example,'],
    ['LOG_LEVEL', 'verbose'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
  ])('rejects %s = %j, and shows the value', (name, text) => {
    const read = () => readConfig({ [`ACCOUNT_SYNC_${name}`]: text });
    expect(read).toThrow(BadConfig);
    expect(read).toThrow(`ACCOUNT_SYNC_${name} must be `);
    expect(read).toThrow(`; it is ${JSON.stringify(text)}.`);
  });

  it.each([
    ['too short', 'short-secret', 'must have at least 32 characters'],
    ['with white space', `${KEY} ${KEY}`, 'must be printable ASCII without white space'],
  ])('rejects a weak key without repeating it: %s', (_what, key, reason) => {
    const read = () => readConfig({ ACCOUNT_SYNC_API_KEY: key });
    expect(read).toThrow(new BadConfig([`ACCOUNT_SYNC_API_KEY ${reason}.`]));
  });

  it('accepts several workers with PostgreSQL', () => {
    const database = 'postgres://me:secret@host/db';
    expect(readConfig({ DATABASE_URL: ` ${database} `, ACCOUNT_SYNC_WORKERS: '4' })).toEqual({
      ...defaults,
      database,
      workers: 4,
    });
    expect(readConfig({ DATABASE_URL: '' })).toEqual(defaults);
  });

  it.each([{}, { DATABASE_URL: 'sqlite:/elsewhere' }])('rejects several workers with SQLite: %j', (env) => {
    expect(() => readConfig({ ...env, ACCOUNT_SYNC_WORKERS: '2' })).toThrow(
      new BadConfig([
        'ACCOUNT_SYNC_WORKERS must be 1 with SQLite, which supports one server process. For more workers, set DATABASE_URL to a PostgreSQL database.',
      ]),
    );
  });

  it('requires a certificate and its key together', () => {
    const files = { ACCOUNT_SYNC_TLS_CERT: '/etc/tls/cert.pem', ACCOUNT_SYNC_TLS_KEY: '/etc/tls/key.pem' };
    expect(readConfig(files).tls).toEqual({ cert: '/etc/tls/cert.pem', key: '/etc/tls/key.pem' });
    expect(() => readConfig({ ...files, ACCOUNT_SYNC_TLS_KEY: '' })).toThrow(
      new BadConfig([
        'ACCOUNT_SYNC_TLS_CERT is set, but ACCOUNT_SYNC_TLS_KEY is not. Set both, or neither for plain HTTP.',
      ]),
    );
    expect(() => readConfig({ ACCOUNT_SYNC_TLS_KEY: 'key.pem' })).toThrow(
      new BadConfig([
        'ACCOUNT_SYNC_TLS_KEY is set, but ACCOUNT_SYNC_TLS_CERT is not. Set both, or neither for plain HTTP.',
      ]),
    );
  });

  it('rejects an invalid database URL without repeating it', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://me:secret@host/db' })).toThrow(
      new BadConfig([
        'DATABASE_URL must have the form postgres://user:password@host:5432/database (several hosts separated by commas; @ / ? # % : in a password as %40 %2F %3F %23 %25 %3A), or sqlite:directory.',
      ]),
    );
  });

  it('reports all bad settings together', () => {
    expect(() => readConfig({ ACCOUNT_SYNC_PORT: 'x', ACCOUNT_SYNC_MAX_BATCH: 'y' })).toThrow(
      new BadConfig([
        'ACCOUNT_SYNC_PORT must be a whole number from 0 to 65535; it is "x".',
        'ACCOUNT_SYNC_MAX_BATCH must be a whole number from 201 to 100000; it is "y".',
      ]),
    );
  });
});
