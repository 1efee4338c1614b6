import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, emptyPostgres } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';
import { environment, freshDirectory, PROGRAM, Service } from '../support/service.js';

const page = readFileSync(new URL('../../docs/integrations.md', import.meta.url), 'utf8');
const EXPORTS = fileURLToPath(new URL('../cli/exports', import.meta.url));
const FILES = {
  'salesforce.csv': 'salesforce-data-export.csv',
  'hubspot.csv': 'hubspot-companies.csv',
  'stripe.csv': 'stripe-customers.csv',
  'pipedrive.csv': 'pipedrive-organizations.csv',
};
/** Companies of HubSpot with ids of Salesforce: one that is stored, none, and one that is not. */
const COMPANIES = `Record ID,Company name,Parent Company,Salesforce Account ID,Seats
1,Acme Holding,,0015e00000KCaR6AAL,510
2,Acme Berlin GmbH,1,,40
3,Acme Paris,1,0015e00000KqRtBAAV,40
`;

/** The examples of a section. */
function examplesOf(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, text = '']) => text);
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A directory with a key, and `account-sync` on the path, as an operator has them. */
class Operator {
  private constructor(
    readonly service: Service,
    readonly directory: string,
  ) {}

  static async start(...keys: string[]): Promise<Operator> {
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    const directory = await freshDirectory();
    for (const name of keys) await writeFile(join(directory, `${name}.key`), service.key);
    const operator = new Operator(service, directory);
    await mkdir(join(directory, 'bin'));
    await operator.script('bin/account-sync', `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
    return operator;
  }

  async end(): Promise<void> {
    await this.service.stopAndRemove();
    await rm(this.directory, { recursive: true });
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.directory, name), text);
  }

  script(name: string, text: string): Promise<void> {
    return writeFile(join(this.directory, name), text, { mode: 0o755 });
  }

  shell(script: string, settings: Record<string, string> = {}, shell = 'bash'): Promise<Ended> {
    const env = environment({
      ACCOUNT_SYNC_URL: this.service.url,
      ACCOUNT_SYNC_KEY: this.service.key,
      PATH: `${join(this.directory, 'bin')}:${process.env.PATH}`,
      ...settings,
    });
    return promisify(execFile)(shell, ['-c', script], { cwd: this.directory, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
    );
  }
}

describe('docs/integrations.md', () => {
  let operator: Operator;
  beforeAll(async () => {
    operator = await Operator.start('salesforce', 'hubspot', 'stripe', 'pipedrive');
    for (const [name, source] of Object.entries(FILES)) {
      await copyFile(join(EXPORTS, source), join(operator.directory, name));
    }
    await operator.write('companies.csv', COMPANIES);
  });
  afterAll(() => operator.end());

  it.each(['Salesforce', 'HubSpot', 'Stripe', 'Pipedrive'])('imports an export of %s', async (system) => {
    const [command = '', output] = examplesOf(system);
    expect(await operator.shell(command)).toMatchObject({ code: 0, stdout: output });
  });

  it('updates accounts of Salesforce from HubSpot', async () => {
    const account = '{"account_id":"0015e00000KCaR6AAL","licenses":500}';
    const push = `curl -sS "$ACCOUNT_SYNC_URL/api/v1_1/account" -H "Authorization: Bearer $ACCOUNT_SYNC_KEY" \
      -H 'Content-Type: application/json' -d '${account}'`;
    expect(await operator.shell(push)).toMatchObject({ code: 0, stdout: '{"success":true}' });
    const [, , command = '', output] = examplesOf('HubSpot');
    expect(await operator.shell(command)).toMatchObject({ code: 1, stdout: output });
  });

  it('shows why a value is rejected', async () => {
    const [, , command = '', output = ''] = examplesOf('Census and Hightouch');
    const { stdout } = await operator.shell(command);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(output));
  });

  it('starts the target as Meltano does', async () => {
    const [, mapping = ''] = examplesOf('Singer taps');
    const [, script = ''] = examplesOf('Meltano');
    await mkdir(join(operator.directory, 'project'));
    await operator.write('project/singer.json', mapping);
    await operator.write('project/crm.key', operator.service.key);
    await operator.script('project/target-account-sync', script);
    const properties = { id: {}, properties__name: {}, properties__seats: {}, updatedAt: {} };
    const messages = [
      { type: 'SCHEMA', stream: 'companies', schema: { properties }, key_properties: ['id'] },
      {
        type: 'RECORD',
        stream: 'companies',
        record: { id: '8', properties__name: 'Acme', properties__seats: '5' },
      },
      { type: 'STATE', value: { bookmarks: {} } },
    ];
    await operator.write('messages', messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const { code, stdout, stderr } = await operator.shell(
      './project/target-account-sync --config target.config.json < messages',
    );
    expect([code, stdout]).toEqual([0, '{"bookmarks":{}}\n']);
    expect(stderr).toContain('1 record: 1 created, 0 updated, 0 unchanged, 0 rejected.\n');
  });
});

const isAvailable = (program: string) => spawnSync(program, ['--version']).status === 0;

describe.skipIf(!['psql', 'flock', 'jq'].every(isAvailable))('docs/integrations.md, with PostgreSQL,', () => {
  let operator: Operator;
  let database: Database;
  let settings: Record<string, string>;
  beforeAll(async () => {
    operator = await Operator.start('warehouse');
    database = await emptyPostgres();
    const { hostname, port, username, pathname } = new URL(database.url);
    settings = {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGDATABASE: pathname.slice(1),
      PGTZ: 'UTC',
    };
    await query(`create table customers (id bigint primary key, name text not null, parent_id bigint, seats integer,
      active boolean not null, created_at timestamptz not null)`);
    await query(`insert into customers select n, 'Customer ' || n, nullif(n / 10, 0), n, n % 7 <> 0,
      timestamptz '2026-01-01 08:00+00' + n * interval '1 hour' from generate_series(1, 40) n`);
    await operator.write('accounts.sql', examplesOf('A table in PostgreSQL')[0] ?? '');
  });
  afterAll(async () => {
    await operator.end();
    await database.remove();
  });

  const query = (text: string) => queryOnce(database.url, text);
  const [, command = '', first = '', second = ''] = examplesOf('A table in PostgreSQL');

  it('imports a table, and archives what is deleted', async () => {
    const { code, stdout, stderr } = await operator.shell(command, settings);
    expect([code, `${stderr}${stdout}`]).toEqual([0, first]);
    const [, deletion = ''] = /^After `(delete .*?)`/m.exec(page) ?? [];
    await query(deletion);
    expect(await operator.shell(command, settings)).toMatchObject({ code: 0, stdout: second });
  });

  it('sends nothing if the query fails late', async () => {
    const failing = command.replace('accounts.sql', 'failing.sql');
    await operator.write(
      'failing.sql',
      'select id as account_id, 1 / (40 - id) as licenses from customers order by id',
    );
    expect(await operator.shell(failing, settings)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'psql:failing.sql:1: ERROR:  division by zero\nStandard input is empty.\n',
    });
  });

  it('runs from cron, under a lock, and keeps a log', async () => {
    const saved = await operator.shell(`${command.trimEnd()} --save-mapping accounts.json`, settings);
    expect(saved.code).toBe(0);
    const [script = '', crontab = '', log] = examplesOf('cron');
    await operator.script('nightly.sh', script);
    const [line = ''] = /(?<=^15 2 \* \* \* +)\S.*$/m.exec(crontab) ?? [];
    const job = line.replaceAll('/var/lib/accounts', operator.directory);
    const night = () => operator.shell(job, settings, 'sh');
    expect(await night()).toEqual({ code: 0, stdout: '', stderr: '' });
    await query('delete from customers where id = 8');
    expect(await night()).toEqual({ code: 0, stdout: '', stderr: '' });
    await query("insert into customers values (41, 'Customer 41', 41, 1, true, now())");
    expect(await night()).toMatchObject({ code: 1, stderr: '' });
    expect(readFileSync(join(operator.directory, 'nightly.log'), 'utf8')).toBe(log);
    expect(await operator.shell(`flock lock sh -c '${job}'`, settings)).toEqual({
      code: 75,
      stdout: '',
      stderr: '',
    });
    const unreachable = { ...settings, PGDATABASE: 'nowhere' };
    expect(await operator.shell(job, unreachable)).toMatchObject({ code: 2, stdout: '' });
  });
});
