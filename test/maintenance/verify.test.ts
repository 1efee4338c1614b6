import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NUMBERS_PER_SET, SETS_PER_BLOCK } from '../../dist/store/schema/change-set.js';
import { type Database, databases } from '../support/databases.js';
import { bytesIn, editChange } from '../support/edit-change.js';
import { fillForVerification } from '../support/fill-for-verification.js';
import { runStatements } from '../support/released-database.js';
import { problemsIn } from '../support/verified.js';

/** Returns a function that repairs it. */
type Damage = () => Promise<() => Promise<void>>;

describe.each(databases)('verify on %s', (name, createDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
    await fillForVerification(database);
  });
  afterAll(() => database.remove());
  const verify = async () =>
    (await problemsIn(database.url)).map(({ check, tenant, account, problem }) => [
      check,
      tenant,
      account,
      problem,
    ]);

  const statements =
    (damage: string, repair: string): Damage =>
    async () => {
      await runStatements(database, damage);
      return () => runStatements(database, repair);
    };
  const edit =
    (accountId: string, revision: number, from: string | RegExp, to: string): Damage =>
    () =>
      editChange(database, { accountId, revision }, (line) => line.replace(from, to));
  const all =
    (...damages: readonly Damage[]): Damage =>
    async () => {
      const repairs: (() => Promise<void>)[] = [];
      for (const damage of damages) repairs.unshift(await damage());
      return async () => {
        for (const repair of repairs) await repair();
      };
    };

  it('accepts a history whose oldest changes are missing', async () => {
    // The first three changes of `a`.
    const oldest = "tenant_id = 1 and request_id <= 'r-1700000000003'";
    await runStatements(
      database,
      `create table kept as select * from change_set where ${oldest}; delete from change_set where ${oldest}`,
    );
    const problems = await verify();
    await runStatements(database, 'insert into change_set select * from kept; drop table kept');
    expect(problems).toEqual([]);
  });

  it('accepts a gap in a history if old changes of the tenant were removed', async () => {
    const repair = await gap();
    await runStatements(database, 'insert into pruning values (1, 30, 0, 0, 0)');
    const problems = await verify();
    await runStatements(database, 'delete from pruning');
    await repair();
    expect(problems).toEqual([]);
  });

  it('accepts values of a deleted account that are still to be erased', async () => {
    const repair = await valuesAfterDeletion();
    const erasure = "update erasure set next_seq = 1 where tenant_id = 1 and account_id = 'deleted'";
    await runStatements(database, erasure);
    const problems = await verify();
    await runStatements(database, erasure.replace('next_seq = 1', 'next_seq = null'));
    await repair();
    expect(problems).toEqual([]);
  });

  const account = "tenant_id = 1 and account_id = 'a'";
  const other = "tenant_id = 1 and account_id = 'ä-👩'";
  const firstRequest = "request_id = 'r-1700000000001'";
  const lastRequest = "request_id = 'r-1700000000021'";
  /** The number of the nth change. On PostgreSQL each transaction takes the numbers of several sets. */
  const numberOf = (n: number) =>
    name === 'SQLite' ? n * NUMBERS_PER_SET : (1 + n * SETS_PER_BLOCK) * NUMBERS_PER_SET;
  const step = numberOf(2) - numberOf(1);
  const gap = all(
    edit('a', 5, '"a",5', '"a",6'),
    edit('a', 4, '"a",4', '"a",5'),
    statements(
      `update account set revision = 6 where ${account}`,
      `update account set revision = 5 where ${account}`,
    ),
  );
  const valuesAfterDeletion = edit('deleted', 1, '"C"', '"c"');
  const rename = (from: string, to: string) => `
    update account set account_id = '${to}' where tenant_id = 1 and account_id = '${from}';
    delete from account_value where account_id in ('${from}', '${to}');
    insert into account_value values (1, '${to}', 'custom_Tier', '"silver"')`;
  const insertStray = () => {
    const entries = bytesIn(database, Buffer.from('\n["stray",1,"c",null,null]\t{}\n'));
    return `
      insert into change_set
      (tenant_id, seq, turn, at, request_id, key_id, created, updated, deleted, fields, entries)
      values (77, 2560000, 1, 1, 'r', 'k', 1, 0, 0, '{}', ${entries})`;
  };
  const unreached = (changes: number) => [
    'history',
    'acme',
    null,
    `no account leads to ${changes} of its changes`,
  ];
  const notCounted = ['counts', 'acme', null, '0 accounts with custom_Later were counted where there were 1'];

  const damages: readonly (readonly [string, Damage, readonly (readonly (string | null)[])[]])[] = [
    [
      'a value that was changed',
      statements(
        `update account set fields = replace(fields, '"silver"', '"golden"') where ${account}`,
        `update account set fields = replace(fields, '"golden"', '"silver"') where ${account}`,
      ),
      [['history', 'acme', 'a', 'custom_Tier has another value after revision 3 than that revision states']],
    ],
    [
      'a value that is in no change',
      statements(
        `update account set fields = replace(fields, '{', '{"custom_New":1,') where ${account}`,
        `update account set fields = replace(fields, '"custom_New":1,', '') where ${account}`,
      ),
      [
        ['history', 'acme', 'a', 'revision 1 creates it, but not custom_New'],
        ['counts', 'acme', null, '0 accounts with custom_New were counted where there were 1'],
      ],
    ],
    [
      'a name that was changed',
      statements(
        `update account set name = 'X' where ${account}`,
        `update account set name = 'Other name of a' where ${account}`,
      ),
      [['history', 'acme', 'a', 'name has another value after revision 2 than that revision states']],
    ],
    [
      'a parent that is missing',
      statements(
        `update account set parent_account_id = null where ${account}`,
        `update account set parent_account_id = 'a-parent' where ${account}`,
      ),
      [
        [
          'history',
          'acme',
          'a',
          'parent_account_id has another value after revision 2 than that revision states',
        ],
        ['counts', 'acme', null, '2 accounts with parent_account_id were counted where there were 1'],
      ],
    ],
    [
      'a value in the history',
      edit('a', 3, '"silver"', '"bronze"'),
      [['history', 'acme', 'a', 'custom_Tier has another value after revision 3 than that revision states']],
    ],
    [
      'a value before a change',
      edit('a', 3, '[1,null]', '[2,null]'),
      [['history', 'acme', 'a', 'licenses has another value after revision 1 than that revision states']],
    ],
    ['a revision that is missing', gap, [['history', 'acme', 'a', 'revision 5 comes after 3']]],
    [
      'a last change that is missing',
      statements(
        `update account set revision = 6 where ${account}`,
        `update account set revision = 5 where ${account}`,
      ),
      [['history', 'acme', 'a', 'it is at revision 6, and its history at 5']],
    ],
    [
      'a change that is later than its account',
      statements(
        `update account set revision = 3, last_change = last_change - ${step}, updated_at = updated_at - 1 where ${other}`,
        `update account set revision = 4, last_change = last_change + ${step}, updated_at = updated_at + 1 where ${other}`,
      ),
      [
        ['history', 'acme', 'ä-👩', 'its history has revision 4, which is later than its own'],
        ['history', 'acme', 'ä-👩', 'licenses has another value after revision 3 than that revision states'],
        ['history', 'acme', 'ä-👩', 'revision 1 creates it, but not custom_Long'],
        unreached(1),
      ],
    ],
    [
      'an account that its history has deleted',
      statements(
        `update account set deleted_at = 1 where ${other}`,
        `update account set deleted_at = null where ${other}`,
      ),
      [
        [
          'accounts',
          'acme',
          'ä-👩',
          'it is deleted, but has custom_Tier, licenses, custom_Long, parent_account_id, name',
        ],
        ['history', 'acme', 'ä-👩', 'it is deleted, unlike in its history'],
        ['counts', 'acme', null, '3 accounts were counted where there were 2'],
        ...[
          ['name', 3, 2],
          ['licenses', 2, 1],
          ['custom_Tier', 3, 2],
          ['parent_account_id', 2, 1],
          ['custom_Long', 2, 1],
        ].map(([name, counted, actual]) => [
          'counts',
          'acme',
          null,
          `${counted} accounts with ${name} were counted where there were ${actual}`,
        ]),
      ],
    ],
    [
      'a history without an account',
      all(...[1, 2, 3, 4].map((revision) => edit('ä-👩', revision, 'ä-👩', 'zzz'))),
      [
        ['history', 'acme', 'ä-👩', 'it has no history'],
        ['history', 'acme', 'zzz', 'there is a history, but no account'],
        unreached(4),
      ],
    ],
    [
      'changes that cannot be read',
      edit('a', 5, '{', 'x{'),
      [
        ['history', 'acme', null, `change ${numberOf(21)} cannot be read`],
        ['history', 'acme', null, 'request r-1700000000021 updated 1, but its changes 0'],
        [
          'history',
          'acme',
          null,
          'the summary of request r-1700000000021 has 1 for custom_Later, but its changes 0',
        ],
        ['history', 'acme', 'a', `change ${numberOf(21)} cannot be read`],
        unreached(4),
        notCounted,
      ],
    ],
    [
      'a change without the value before it',
      edit('a', 3, '[1,null]', '1'),
      [
        ['history', 'acme', null, `change ${numberOf(3)} cannot be read`],
        ['history', 'acme', null, 'request r-1700000000003 updated 1, but its changes 0'],
        ['history', 'acme', 'a', `change ${numberOf(3)} cannot be read`],
        unreached(2),
      ],
    ],
    [
      'a change whose account cannot be read',
      edit('ä-👩', 3, '["', '['),
      [
        ['history', 'acme', null, `change ${numberOf(7)} cannot be read`],
        ['history', 'acme', null, 'request r-1700000000007 updated 1, but its changes 0'],
        ['history', 'acme', null, 'the histories of 4 accounts cannot be followed'],
        unreached(20),
        notCounted,
      ],
    ],
    [
      'a change that is cut off',
      edit('ä-👩', 4, /\n$/, ''),
      [
        ['history', 'acme', null, 'the changes of request r-1700000000008 are cut off'],
        ['history', 'acme', null, 'the histories of 4 accounts cannot be followed'],
        unreached(21),
        notCounted,
      ],
    ],
    [
      'numbers of changes that are wrong',
      statements(
        `update change_set set created = 0, updated = 2, deleted = 1 where ${firstRequest}`,
        `update change_set set created = 1, updated = 0, deleted = 0 where ${firstRequest}`,
      ),
      [
        ['history', 'acme', null, 'request r-1700000000001 created 0, but its changes 1'],
        ['history', 'acme', null, 'request r-1700000000001 updated 2, but its changes 0'],
        ['history', 'acme', null, 'request r-1700000000001 deleted 1, but its changes 0'],
      ],
    ],
    [
      'a summary of fields that is wrong, before it is counted',
      statements(
        `update change_set set fields = replace(fields, '[1,', '[2,') where ${lastRequest}`,
        `update change_set set fields = replace(fields, '[2,', '[1,') where ${lastRequest}`,
      ),
      [
        [
          'history',
          'acme',
          null,
          'the summary of request r-1700000000021 has 2 for custom_Later, but its changes 1',
        ],
      ],
    ],
    [
      'a summary of fields that cannot be read',
      statements(
        `update change_set set fields = 'x' || fields where ${firstRequest}`,
        `update change_set set fields = substr(fields, 2) where ${firstRequest}`,
      ),
      [['history', 'acme', null, 'the summary of request r-1700000000001 cannot be read']],
    ],
    [
      'a place at which no change begins',
      statements(
        `update account set last_place = 1 where ${other}`,
        `update account set last_place = 0 where ${other}`,
      ),
      [['history', 'acme', 'ä-👩', 'it has no history'], unreached(4)],
    ],
    [
      'a last change that does not exist',
      statements(
        `update account set last_change = last_change + 2560000 where ${other}`,
        `update account set last_change = last_change - 2560000 where ${other}`,
      ),
      [['history', 'acme', 'ä-👩', 'it has no history'], unreached(4)],
    ],
    [
      'a last change that is of another account',
      statements(
        `update account set last_change = last_change - ${4 * step} where ${other}`,
        `update account set last_change = last_change + ${4 * step} where ${other}`,
      ),
      [['history', 'acme', 'ä-👩', 'it has no history'], unreached(4)],
    ],
    [
      'a first change that is another',
      statements(
        `update account set first_change = first_change + ${step} where ${other}`,
        `update account set first_change = first_change - ${step} where ${other}`,
      ),
      [['history', 'acme', 'ä-👩', 'its first change is not the one that it points to']],
    ],
    [
      'a change without the one before it',
      edit('ä-👩', 3, `,${numberOf(6)},0]`, ',null,null]'),
      [unreached(2)],
    ],
    [
      'a chain of changes without end',
      edit('ä-👩', 3, `,${numberOf(6)},0]`, `,${numberOf(8)},0]`),
      [unreached(2)],
    ],
    [
      'values that were not erased when the account was deleted',
      valuesAfterDeletion,
      [['history', 'acme', 'deleted', 'revision 1 still has values, though the account was deleted since']],
    ],
    [
      'a deleted account with a value',
      statements(
        `update account set name = 'still here' where tenant_id = 1 and account_id = 'deleted'`,
        `update account set name = null where tenant_id = 1 and account_id = 'deleted'`,
      ),
      [
        ['accounts', 'acme', 'deleted', 'it is deleted, but has name'],
        ['history', 'acme', 'deleted', 'revision 5 deletes it, but not name'],
      ],
    ],
    [
      'an id that is not in its canonical form',
      all(
        statements(rename('a', 'A'), rename('A', 'a')),
        ...[1, 2, 3, 4, 5].map((revision) => edit('a', revision, '"a"', '"A"')),
      ),
      [['accounts', 'acme', 'A', 'its id should be "a"']],
    ],
    [
      'values that are indexed wrongly',
      statements(
        `update account_value set value = '"x"' where ${account};
         delete from account_value where ${other};
         insert into account_value values (1, 'missing', 'custom_Tier', '1')`,
        `update account_value set value = '"silver"' where ${account};
         insert into account_value values (1, 'ä-👩', 'custom_Tier', '"silver"');
         delete from account_value where account_id = 'missing'`,
      ),
      [
        ['indexed values', 'acme', 'a', 'custom_Tier is indexed with another value'],
        ['indexed values', 'acme', 'missing', 'custom_Tier is indexed, but there is no account'],
        ['indexed values', 'acme', 'ä-👩', 'custom_Tier is not indexed'],
      ],
    ],
    [
      'counts that are wrong',
      statements(
        `update tally set accounts = 7 where tenant_id = 1;
         update field_use set accounts = 9 where name = 'licenses'`,
        `update tally set accounts = 3 where tenant_id = 1;
         update field_use set accounts = 2 where name = 'licenses'`,
      ),
      [
        ['counts', 'acme', null, '7 accounts were counted where there were 3'],
        ['counts', 'acme', null, '9 accounts with licenses were counted where there were 2'],
      ],
    ],
    [
      'a history of a tenant that does not exist',
      () => statements(insertStray(), 'delete from change_set where tenant_id = 77')(),
      [
        ['accounts', '77', null, 'the tenant does not exist, but has rows'],
        ['history', '77', 'stray', 'there is a history, but no account'],
        ['history', '77', null, 'no account leads to 1 of its changes'],
      ],
    ],
  ];

  it.each(damages)('names %s', async (_what, damage, expected) => {
    const repair = await damage();
    const problems = await verify();
    await repair();
    expect(problems.sort()).toEqual(expected.map((one) => [...one]).sort());
    expect(await verify()).toEqual([]);
  });
});
