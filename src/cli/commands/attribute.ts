import { Command, InvalidArgumentError, Option } from 'commander';
import { OWNED_FIELD_MODES, type OwnedFieldMode } from '../../domain/account.js';
import { readValue, TYPE_NAMES, type TypeName } from '../../domain/attribute-types.js';
import {
  MAX_POSITION,
  NO_PRESENTATION,
  type Presentation,
  type PresentationText,
  textProblem,
} from '../../domain/presentation.js';
import {
  type Attribute,
  attributeNameProblem,
  builtIn,
  builtInProblem,
  type FieldOwner,
  indexProgress,
  isBuiltIn,
  isOwnableField,
  tenantRules,
} from '../../domain/tenant.js';
import type { Store } from '../../store/store.js';
import {
  CommandFailed,
  type OutputOptions,
  print,
  table,
  withJson,
  withTenant,
} from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';
import { Progress } from '../terminal/status-line.js';

/** An empty text removes that part of the presentation. */
type PresentationOptions = { readonly [Part in keyof Presentation]?: NonNullable<Presentation[Part]> | '' };

interface SetOptions extends OutputOptions, PresentationOptions {
  readonly type?: TypeName;
  readonly choice?: readonly string[];
  readonly readOnly?: boolean;
  readonly indexed?: boolean;
  /** False: every source may change it. */
  readonly owner?: string | false;
  readonly others?: OwnedFieldMode;
}

export function attributeCommand(): Command {
  const command = new Command('attribute').description('declare the types of custom attributes');
  withJson(command.command('set <tenant> <name>').description('declare an attribute, or change it'))
    .addOption(
      new Option('--type <type>', 'the type of the attribute; required for one that is not declared').choices(
        TYPE_NAMES,
      ),
    )
    .option('--choice <value...>', 'the allowed values, for the type choice')
    .option('--read-only', 'reject requests that set it')
    .option('--indexed', 'allow listing accounts by its value')
    .option('--no-indexed', 'remove its index')
    .option(
      '--owner <source>',
      'the source whose values count; also for name, parent_account_id and built-in ones',
    )
    .option('--no-owner', 'let every source change it')
    .addOption(
      new Option(
        '--others <what>',
        'what happens to different values of other sources (default: reject)',
      ).choices(OWNED_FIELD_MODES),
    )
    .option('--label <text>', 'the name that people see; an empty text removes it', readText('label'))
    .option('--description <text>', 'what it means; an empty text removes it', readText('description'))
    .option('--unit <text>', 'shown after values: seats; an empty text removes it', readText('unit'))
    .option('--position <number>', 'the place within its group; an empty text removes it', readPosition)
    .option(
      '--group <name>',
      'the heading under which people see it; an empty text removes it',
      readText('group'),
    )
    .action(setAttribute);
  withJson(command.command('list <tenant>').description('list built-in and declared attributes')).action(
    listAttributes,
  );
  withJson(
    command.command('remove <tenant> <custom_Name>').description('remove a declaration; stored values stay'),
  ).action(removeAttribute);
  return command;
}

async function setAttribute(name: string, attributeName: string, options: SetOptions): Promise<void> {
  const { attribute, stored } = await withTenant(name, options, async (store, tenant) => {
    const before = tenant.attributes.find((one) => one.name === attributeName) ?? builtIn(attributeName);
    const wanted = readAttribute(attributeName, options, before);
    const owner = readOwner(options, before);
    const presentation = readPresentation(attributeName, options);
    const { index, indexedAccounts, ...set } = await store.directory.attributes.set(tenant.id, {
      ...wanted,
      indexed: options.indexed,
      owner,
      presentation,
    });
    if (options.indexed === true) await buildIndex(store, tenant.id, wanted.name);
    return { attribute: set, stored: await countStored(store, tenant.id, wanted) };
  });
  const lines = [
    `${attribute.name} is now ${describe(attribute)}. A running server applies this within a second.`,
  ];
  if (stored.accounts > 0) {
    lines.push(
      `Stored values: ${stored.accounts}. Values that do not fit the declaration: ${stored.unfit}.`,
      'All stored values stay unchanged until a request sends the field again.',
    );
  }
  print(options, { ...asJson(attribute), stored }, lines.join('\n'));
}

async function listAttributes(name: string, options: OutputOptions): Promise<void> {
  const { tenant, total } = await withTenant(name, options, async ({ statistics }, found) => {
    return { tenant: found, total: await statistics.stored(found.id) };
  });
  const owned = tenant.attributes.filter(({ name: field }) => isOwnableField(field));
  const all = [...owned, ...tenantRules(tenant).attributes.values()];
  const rows = all.map((attribute) => [
    attribute.name,
    printable(attribute.presentation?.label ?? '–'),
    printable(attribute.presentation?.group ?? '–'),
    attribute.type,
    attribute.choices.join(', ') || '–',
    attribute.readOnly ? 'yes' : 'no',
    ownerText(attribute) ?? '–',
    indexText(attribute, total),
    isBuiltIn(attribute.name) ? 'yes' : 'no',
  ]);
  const data = all.map((attribute) => ({
    ...asJson(attribute),
    index: attribute.index ?? 'none',
    index_progress: indexProgress(attribute, total) ?? null,
    built_in: isBuiltIn(attribute.name),
  }));
  print(
    options,
    data,
    table(
      ['ATTRIBUTE', 'LABEL', 'GROUP', 'TYPE', 'CHOICES', 'READ-ONLY', 'OWNER', 'INDEX', 'BUILT IN'],
      rows,
    ),
  );
}

async function removeAttribute(name: string, attributeName: string, options: OutputOptions): Promise<void> {
  const undeclared = await withTenant(name, options, async ({ directory }, tenant) => {
    if (!(await directory.attributes.remove(tenant.id, attributeName))) {
      throw new CommandFailed(
        `${attributeName} is not declared. List the declared attributes with: account-sync attribute list ${name}`,
      );
    }
    return tenant.undeclaredFields;
  });
  const then =
    undeclared === 'keep'
      ? 'requests may still send it with any value'
      : 'requests that send it are rejected';
  const text = `${attributeName} is no longer declared: ${then}. Stored values stay.`;
  print(options, { name: attributeName, removed: true }, text);
}

/** What is not given stays as it is. */
function readAttribute(name: string, options: SetOptions, before: Attribute | undefined): Attribute {
  if (options.type === undefined && before === undefined && attributeNameProblem(name) === undefined)
    throw new CommandFailed(`${name} is not declared yet. Give it a type: --type text`);
  const { type = before?.type ?? 'text' } = options;
  const { choices: choicesBefore = [] } = options.type === undefined ? (before ?? {}) : {};
  const { choice = choicesBefore, readOnly = options.type === undefined && (before?.readOnly ?? false) } =
    options;
  if (options.indexed && isOwnableField(name)) throw new CommandFailed(`${name} has its own index.`);
  const problem = isBuiltIn(name) ? builtInProblem(name, type, readOnly) : attributeNameProblem(name);
  if (problem !== undefined) throw new CommandFailed(problem);
  if (type === 'choice' && choice.length === 0) {
    throw new CommandFailed('The type choice needs values: --choice gold silver bronze');
  }
  if (type !== 'choice' && choice.length > 0)
    throw new CommandFailed('Use --choice only with --type choice.');
  return { name, type, choices: [...new Set(choice)], readOnly };
}

/** Undefined if it stays as it is. */
function readOwner(
  { owner, others }: SetOptions,
  before: Attribute | undefined,
): FieldOwner | null | undefined {
  const source = owner === false ? undefined : (owner ?? before?.owner?.source);
  if (source === undefined && others !== undefined)
    throw new CommandFailed(
      'Use --others only for an attribute with an owner: --owner billing --others keep',
    );
  if (owner === false) return null;
  if (source === undefined || (owner === undefined && others === undefined)) return undefined;
  return { source, others: others ?? before?.owner?.others ?? 'reject' };
}

/** What was given. */
function readPresentation(name: string, options: SetOptions): Partial<Presentation> {
  const parts = (Object.keys(NO_PRESENTATION) as (keyof Presentation)[]).filter((part) => part in options);
  if (parts.length > 0 && isOwnableField(name))
    throw new CommandFailed(`${name} is not an attribute, so it has no --${parts[0]}.`);
  return Object.fromEntries(parts.map((part) => [part, options[part] === '' ? null : options[part]]));
}

function readText(part: PresentationText): (text: string) => string {
  return (text) => {
    const problem = text === '' ? undefined : textProblem(part, text);
    if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`);
    return text;
  };
}

function readPosition(text: string): number | '' {
  if (text === '') return text;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`Give a whole number from 0 to ${MAX_POSITION}.`);
}

async function buildIndex(store: Store, tenantId: number, attributeName: string): Promise<void> {
  const total = await store.statistics.stored(tenantId);
  const progress = new Progress();
  await store.indexBuilds.build(tenantId, attributeName, (accounts) =>
    progress.show('Building the index: accounts', accounts, Math.max(accounts, total)),
  );
}

async function countStored(store: Store, tenantId: number, attribute: Attribute) {
  const count = { accounts: 0, unfit: 0 };
  for await (const value of store.accounts.fieldValues(tenantId, attribute.name)) {
    count.accounts += 1;
    if (readValue(value, attribute) === undefined) count.unfit += 1;
  }
  return count;
}

function indexText(attribute: Attribute, accounts: number): string {
  const progress = indexProgress(attribute, accounts);
  return progress === undefined ? (attribute.index ?? 'none') : `building, ${Math.round(100 * progress)} %`;
}

function describe(attribute: Attribute): string {
  const { type, choices, readOnly } = attribute;
  const of = type === 'choice' ? ` of ${choices.join(', ')}` : '';
  const owner = ownerText(attribute);
  const label = attribute.presentation?.label;
  const more = [
    readOnly && 'read-only',
    owner !== undefined && `owned by ${owner}`,
    label && `shown as ${printable(label)}`,
  ];
  return [`${type}${of}`, ...more].filter(Boolean).join(', ');
}

function ownerText({ owner }: Attribute): string | undefined {
  if (owner === undefined) return undefined;
  return `${owner.source} (others: ${owner.others})`;
}

function asJson({ name, type, choices, readOnly, owner, presentation = NO_PRESENTATION }: Attribute) {
  return { name, type, choices, read_only: readOnly, owner: owner ?? null, ...presentation };
}
