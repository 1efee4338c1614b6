import type { Webhook, WebhookSettings } from '@account-sync/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EVENT_TYPES, type EventType, type FilterValue, MAX_BATCH_SIZE } from '../../domain/webhook.js';

export interface SettingsOptions {
  readonly description?: string;
  readonly event?: readonly EventType[];
  readonly source?: readonly string[];
  readonly field?: readonly string[];
  readonly value?: Readonly<Record<string, readonly FilterValue[]>>;
  readonly batchSize?: number;
}

/** Adds the options of the commands that create or change a webhook. */
export function withSettings(command: Command): Command {
  return command
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--event <type...>', 'only these kinds of events').choices(EVENT_TYPES))
    .option('--source <name...>', 'only events of these sources')
    .option('--field <name...>', 'of created and updated accounts, only if one of these fields has changed')
    .option(
      '--value <field=value...>',
      'only accounts that have one of these values in each field',
      readValue,
    )
    .option('--batch-size <n>', `the most events in one message, 1 to ${MAX_BATCH_SIZE}`, readBatchSize);
}

/** Only what was given. */
export function settingsOf(options: SettingsOptions): Partial<WebhookSettings> {
  const { description, event, batchSize } = options;
  return {
    ...(description !== undefined && { description }),
    ...(event !== undefined && { events: [...event] }),
    ...(hasFilter(options) && { filter: filterOf(options) }),
    ...(batchSize !== undefined && { batch_size: batchSize }),
  };
}

/** The API replaces a filter as a whole, so the parts that were not given are those that the webhook has. */
export async function changesOf(
  options: SettingsOptions & { readonly address?: string; readonly all?: boolean },
  read: () => Promise<Webhook>,
): Promise<Partial<WebhookSettings>> {
  const { address, all = false } = options;
  const before = all ? { events: EVENT_TYPES, filter: {} } : {};
  const settings = { ...before, ...settingsOf(options), ...(address !== undefined && { url: address }) };
  if (all || !hasFilter(options)) return settings;
  const { filter } = await read();
  return { ...settings, filter: { ...filter, ...filterOf(options) } };
}

function hasFilter({ source, field, value }: SettingsOptions): boolean {
  return source !== undefined || field !== undefined || value !== undefined;
}

function filterOf({ source, field, value }: SettingsOptions): WebhookSettings['filter'] {
  return {
    ...(source !== undefined && { sources: source }),
    ...(field !== undefined && { fields: field }),
    ...(value !== undefined && { values: value }),
  };
}

/** `custom_Tier=gold`, `licenses=5`, `is_paying=true`; a text that looks like a number is quoted: `zip="12345"`. */
function readValue(
  text: string,
  before: Readonly<Record<string, readonly FilterValue[]>> = {},
): Record<string, readonly FilterValue[]> {
  const [, field = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (field === '') throw new InvalidArgumentError('Give a field and a value, such as custom_Tier=gold.');
  return { ...before, [field]: [...(before[field] ?? []), scalarOf(value)] };
}

function scalarOf(text: string): FilterValue {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : value;
  } catch {
    return text;
  }
}

function readBatchSize(text: string): number {
  const size = /^\d+$/.test(text) ? Number(text) : 0;
  if (size >= 1 && size <= MAX_BATCH_SIZE) return size;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_BATCH_SIZE}.`);
}
