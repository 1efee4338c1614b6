export interface SqliteAddress {
  readonly kind: 'sqlite';
  readonly dataDir: string;
}

export interface PostgresAddress {
  readonly kind: 'postgres';
  /** One URL per server; one of the servers is the primary. */
  readonly servers: readonly string[];
  /** For messages: hosts and database, without user and password. */
  readonly name: string;
}

/** The message never contains the URL: it may hold a password. */
export class BadDatabaseUrl extends Error {}

const DATABASE_URL_FORMS =
  'postgres://user:password@host:5432/database (several hosts separated by commas; @ / ? # % : in a password as %40 %2F %3F %23 %25 %3A), or sqlite:directory';

/** The modes in which the driver behaves like libpq. With `allow` and `prefer` it would silently not encrypt. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
/** Accepted and ignored: the service writes, so it always connects to the server that accepts writes. */
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'];

export function parseDatabaseUrl(url: string): SqliteAddress | PostgresAddress {
  const directory = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (directory !== undefined) return { kind: 'sqlite', dataDir: directory };
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(\/[^?#]*)?(?:\?([^#@]*))?$/.exec(url);
  if (parts === null) throw new BadDatabaseUrl(`must have the form ${DATABASE_URL_FORMS}`);
  if (/%(?![\da-f]{2})/i.test(url)) throw new BadDatabaseUrl('has a % that escapes nothing: write it as %25');
  const [, start = '', hosts = '', path = '', query = ''] = parts;
  const options = new URLSearchParams(query);
  check(options, 'sslmode', SSL_MODES);
  check(options, 'target_session_attrs', SESSION_ATTRIBUTES);
  options.delete('target_session_attrs');
  // Without it the driver treats `require` as `verify-full`, and prints a warning on standard error.
  if (!options.has('uselibpqcompat')) options.set('uselibpqcompat', 'true');
  const list = hosts.split(',');
  const servers = list.map((host) => `${start}${host}${path}?${options}`);
  const hasGap = list.length > 1 && list.includes('');
  if (hasGap || !servers.every((server) => URL.canParse(server.replace('@/', '@host/')))) {
    throw new BadDatabaseUrl(`must have the form ${DATABASE_URL_FORMS}`);
  }
  return { kind: 'postgres', servers, name: `${hosts || options.get('host') || 'localhost'}${path}` };
}

function check(options: URLSearchParams, name: string, values: readonly string[]): void {
  for (const value of options.getAll(name)) {
    if (values.includes(value)) continue;
    throw new BadDatabaseUrl(`has ${name}=${value}, which must be one of ${values.join(', ')}`);
  }
}
