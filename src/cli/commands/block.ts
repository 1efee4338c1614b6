import { Command } from 'commander';
import { blockPatternProblem, SYSTEM_BLOCKED_IDS } from '../../domain/blocked-ids.js';
import { canonicalIdentifier } from '../../domain/identifier.js';
import { CommandFailed, type OutputOptions, print, withJson, withTenant } from '../terminal/command-line.js';

const ARGUMENT = '<id or *.suffix>';

export function blockCommand(): Command {
  const command = new Command('block').description(
    'reject account ids: single ids, or all ids below a suffix',
  );
  withJson(command.command('add <tenant>').argument(ARGUMENT).description('block an id or a suffix')).action(
    add,
  );
  withJson(command.command('list <tenant>').description('list what is blocked')).action(list);
  withJson(
    command.command('remove <tenant>').argument(ARGUMENT).description('unblock an id or a suffix'),
  ).action(remove);
  return command;
}

async function add(name: string, text: string, options: OutputOptions): Promise<void> {
  const pattern = canonicalIdentifier(text);
  const problem = blockPatternProblem(pattern);
  if (problem !== undefined) throw new CommandFailed(`The pattern ${problem}.`);
  const isNew = await withTenant(name, options, ({ directory }, { id }) =>
    directory.blocked.add(id, pattern),
  );
  const done = isNew ? `Blocked ${pattern}.` : `${pattern} is already blocked.`;
  const message = `${done} A running server applies this within a second. Stored accounts stay.`;
  print(options, { pattern, blocked: true }, message);
}

async function list(name: string, options: OutputOptions): Promise<void> {
  const { blockedPatterns } = await withTenant(name, options, async (_store, tenant) => tenant);
  const own =
    blockedPatterns.length > 0 ? blockedPatterns.join('\n') : 'The tenant blocks no ids of its own.';
  const system = `Also blocked for every tenant: ${SYSTEM_BLOCKED_IDS.join('  ')}`;
  print(options, { tenant: blockedPatterns, system: SYSTEM_BLOCKED_IDS }, `${own}\n\n${system}`);
}

async function remove(name: string, text: string, options: OutputOptions): Promise<void> {
  const pattern = canonicalIdentifier(text);
  const removed = await withTenant(name, options, ({ directory }, { id }) =>
    directory.blocked.remove(id, pattern),
  );
  if (!removed)
    throw new CommandFailed(
      `${pattern} is not blocked. List blocked ids with: account-sync block list ${name}`,
    );
  print(options, { pattern, blocked: false }, `${pattern} is no longer blocked.`);
}
