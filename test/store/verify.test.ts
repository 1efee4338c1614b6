import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, databases } from '../support/databases.js';
import { fillForVerification } from '../support/fill-for-verification.js';
import { runStatements } from '../support/released-database.js';
import { problemsIn } from '../support/verified.js';

describe.each(databases)('verify on %s', (_name, createDatabase) => {
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

  it('accepts a history whose oldest entries are missing', async () => {
    const oldest = "tenant_id = 1 and account_id = 'a' and revision < 4";
    await runStatements(
      database,
      `create table kept as select * from account_history where ${oldest}; delete from account_history where ${oldest}`,
    );
    const problems = await verify();
    await runStatements(database, 'insert into account_history select * from kept; drop table kept');
    expect(problems).toEqual([]);
  });

  const account = "tenant_id = 1 and account_id = 'a'";
  const rename = (from: string, to: string) => `
    update account set account_id = '${to}' where tenant_id = 1 and account_id = '${from}';
    update account_history set account_id = '${to}' where tenant_id = 1 and account_id = '${from}';
    delete from account_value where account_id in ('${from}', '${to}');
    insert into account_value values (1, '${to}', 'custom_Tier', '"silver"')`;
  /** For each damage: SQL that causes it, SQL that repairs it, and the expected problems. */
  const damages = [
    [
      'a value that was changed',
      `update account set fields = replace(fields, '"silver"', '"golden"') where ${account}`,
      `update account set fields = replace(fields, '"golden"', '"silver"') where ${account}`,
      [['history', 'acme', 'a', 'custom_Tier has another value than at the end of its history']],
    ],
    [
      'a name that was changed',
      `update account set name = 'X' where ${account}`,
      `update account set name = 'Other name of a' where ${account}`,
      [['history', 'acme', 'a', 'name has another value than at the end of its history']],
    ],
    [
      'a parent that is missing',
      `update account set parent_account_id = null where ${account}`,
      `update account set parent_account_id = 'a-parent' where ${account}`,
      [
        ['history', 'acme', 'a', 'parent_account_id has another value than at the end of its history'],
        ['counts', 'acme', null, '2 accounts with parent_account_id were counted where there were 1'],
      ],
    ],
    [
      'a value in the history',
      `update account_history set changes = replace(changes, '"silver"', '"bronze"') where ${account} and revision = 3`,
      `update account_history set changes = replace(changes, '"bronze"', '"silver"') where ${account} and revision = 3`,
      [['history', 'acme', 'a', 'custom_Tier has another value than at the end of its history']],
    ],
    [
      'a value before a change',
      `update account_history set changes = replace(changes, '[1,null]', '[2,null]') where ${account} and revision = 3`,
      `update account_history set changes = replace(changes, '[2,null]', '[1,null]') where ${account} and revision = 3`,
      [['history', 'acme', 'a', 'licenses had another value before revision 3 than that revision states']],
    ],
    [
      'a revision that is missing',
      `update account_history set account_id = 'ä-👩', revision = 5 where ${account} and revision = 3`,
      `update account_history set account_id = 'a', revision = 3 where tenant_id = 1 and account_id = 'ä-👩' and revision = 5`,
      [
        ['history', 'acme', 'a', 'revision 4 comes after 2'],
        ['history', 'acme', 'ä-👩', 'licenses had another value before revision 5 than that revision states'],
        [
          'history',
          'acme',
          'ä-👩',
          'custom_Tier had another value before revision 5 than that revision states',
        ],
        ['history', 'acme', 'ä-👩', 'it is at revision 4, and its history at 5'],
        ['history', 'acme', 'ä-👩', 'its history has another time of the last change'],
        ['history', 'acme', 'ä-👩', 'licenses has another value than at the end of its history'],
      ],
    ],
    [
      'a last entry that is missing',
      `update account set revision = 6 where ${account}`,
      `update account set revision = 5 where ${account}`,
      [['history', 'acme', 'a', 'it is at revision 6, and its history at 5']],
    ],
    [
      'a history without an account',
      `update account_history set account_id = 'zzz' where tenant_id = 1 and account_id = 'ä-👩'`,
      `update account_history set account_id = 'ä-👩' where tenant_id = 1 and account_id = 'zzz'`,
      [
        ['history', 'acme', 'ä-👩', 'it has no history'],
        ['history', 'acme', 'zzz', 'there is a history, but no account'],
      ],
    ],
    [
      'changes that cannot be read',
      `update account_history set changes = 'x' || changes where ${account} and revision = 5`,
      `update account_history set changes = substr(changes, 2) where ${account} and revision = 5`,
      [
        ['history', 'acme', 'a', 'the changes of revision 5 cannot be read'],
        ['history', 'acme', 'a', 'custom_Later has another value than at the end of its history'],
        ['counts', 'acme', null, '0 accounts with custom_Later were counted where there were 1'],
      ],
    ],
    [
      'a deleted account with a value',
      `update account set name = 'still here' where tenant_id = 1 and account_id = 'deleted'`,
      `update account set name = null where tenant_id = 1 and account_id = 'deleted'`,
      [
        ['accounts', 'acme', 'deleted', 'it is deleted, but has name'],
        ['history', 'acme', 'deleted', 'name has another value than at the end of its history'],
      ],
    ],
    [
      'an id that is not in its canonical form',
      rename('a', 'A'),
      rename('A', 'a'),
      [['accounts', 'acme', 'A', 'its id should be "a"']],
    ],
    [
      'values that are indexed wrongly',
      `update account_value set value = '"x"' where ${account};
       delete from account_value where tenant_id = 1 and account_id = 'ä-👩';
       insert into account_value values (1, 'missing', 'custom_Tier', '1')`,
      `update account_value set value = '"silver"' where ${account};
       insert into account_value values (1, 'ä-👩', 'custom_Tier', '"silver"');
       delete from account_value where account_id = 'missing'`,
      [
        ['indexed values', 'acme', 'a', 'custom_Tier is indexed with another value'],
        ['indexed values', 'acme', 'missing', 'custom_Tier is indexed, but there is no account'],
        ['indexed values', 'acme', 'ä-👩', 'custom_Tier is not indexed'],
      ],
    ],
    [
      'counts that are wrong',
      `update tally set accounts = 7 where tenant_id = 1; update field_use set accounts = 9 where name = 'licenses'`,
      `update tally set accounts = 3 where tenant_id = 1; update field_use set accounts = 2 where name = 'licenses'`,
      [
        ['counts', 'acme', null, '7 accounts were counted where there were 3'],
        ['counts', 'acme', null, '9 accounts with licenses were counted where there were 2'],
      ],
    ],
    [
      'a history of a tenant that does not exist',
      `insert into account_history (tenant_id, account_id, revision, at, request_id, key_id, changes)
       values (77, 'stray', 1, 1, 'r', 'k', '{}')`,
      'delete from account_history where tenant_id = 77',
      [
        ['accounts', '77', null, 'the tenant does not exist, but has rows'],
        ['history', '77', 'stray', 'there is a history, but no account'],
      ],
    ],
  ] as const;

  it.each(damages)('names %s', async (_what, damage, repair, expected) => {
    await runStatements(database, damage);
    const problems = await verify();
    await runStatements(database, repair);
    expect(problems.sort()).toEqual(expected.map((one) => [...one]).sort());
    expect(await verify()).toEqual([]);
  });
});
