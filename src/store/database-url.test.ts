import { describe, expect, it } from 'vitest';
import { BadDatabaseUrl, parseDatabaseUrl } from './database-url.js';

describe('parseDatabaseUrl', () => {
  it.each([
    ['sqlite:./data', './data'],
    ['sqlite:/var/lib/account sync', '/var/lib/account sync'],
    ['sqlite:///var/lib/data', '/var/lib/data'],
  ])('reads %s as a directory', (url, dataDir) => {
    expect(parseDatabaseUrl(url)).toEqual({ kind: 'sqlite', dataDir });
  });

  it('accepts one server, and names it without user and password', () => {
    expect(parseDatabaseUrl('postgres://me:s%40cret@db.example:6432/accounts?sslmode=verify-full')).toEqual({
      kind: 'postgres',
      servers: ['postgres://me:s%40cret@db.example:6432/accounts?sslmode=verify-full&uselibpqcompat=true'],
      name: 'db.example:6432/accounts',
    });
  });

  it('accepts several servers, each with the same user, database and options', () => {
    const url =
      'postgresql://me@a,b:6432,[::1]:5433/accounts?target_session_attrs=read-write&sslmode=require';
    expect(parseDatabaseUrl(url)).toEqual({
      kind: 'postgres',
      servers: ['a', 'b:6432', '[::1]:5433'].map(
        (host) => `postgresql://me@${host}/accounts?sslmode=require&uselibpqcompat=true`,
      ),
      name: 'a,b:6432,[::1]:5433/accounts',
    });
  });

  it.each([
    ['postgres:///accounts?host=/run/postgresql', '/run/postgresql/accounts'],
    ['postgres://localhost', 'localhost'],
    ['postgres://', 'localhost'],
  ])('accepts %s, and uses defaults for what is missing', (url, name) => {
    expect(parseDatabaseUrl(url)).toMatchObject({ kind: 'postgres', name });
  });

  const FORMS =
    'must have the form postgres://user:password@host:5432/database (several hosts separated by commas; @ / ? # % : in a password as %40 %2F %3F %23 %25 %3A), or sqlite:directory';
  it.each([
    ['mysql://me:secret@host/db', FORMS],
    ['host/db', FORMS],
    ['sqlite:', FORMS],
    ['postgres://me:secret@host:port/db', FORMS],
    ['postgres://me:se@cret@host/db', FORMS],
    ['postgres://me:secret@a,b:99999/db', FORMS],
    ['postgres://me:secret@a,,b/db', FORMS],
    ['postgres://me:12?x@host/db', FORMS],
    ['postgres://me:12#x@host/db', FORMS],
    ['postgres://me:secret%@host/db', 'has a % that escapes nothing: write it as %25'],
    [
      'postgres://host/db?sslmode=verify-full&sslmode=prefer',
      'has sslmode=prefer, which must be one of disable, require, verify-ca, verify-full',
    ],
    [
      'postgres://me:secret@host/db?sslmode=prefer',
      'has sslmode=prefer, which must be one of disable, require, verify-ca, verify-full',
    ],
    [
      'postgres://me:secret@host/db?target_session_attrs=standby',
      'has target_session_attrs=standby, which must be one of any, read-write, primary',
    ],
  ])('rejects %s, and does not repeat a password', (url, message) => {
    expect(() => parseDatabaseUrl(url)).toThrow(new BadDatabaseUrl(message));
  });
});
