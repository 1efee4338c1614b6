import { describe, expect, it } from 'vitest';
import { VERSION } from '../../dist/version.js';
import { databases } from '../support/databases.js';
import { useServer } from './v2-server.js';

describe.each(databases)('the status on %s', (name, createDatabase) => {
  const server = useServer(createDatabase);

  it('is ready without warnings', async () => {
    const acme = await server.tenant();
    const { status, body } = await acme.get('/status');
    expect([status, body]).toEqual([
      200,
      {
        version: VERSION,
        database: name === 'SQLite' ? 'sqlite' : 'postgres',
        is_ready: true,
        problem: null,
        waiting_records: 0,
        warnings: [],
      },
    ]);
  });
});
