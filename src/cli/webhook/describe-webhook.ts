import type { TestDelivery, Webhook, WebhookDelivery } from '@account-sync/client';
import { firstCharacters } from '../../domain/text.js';
import { EVENT_TYPES } from '../../domain/webhook.js';
import { table } from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';

export function webhookTable(webhooks: readonly Webhook[]): string {
  const head = ['WEBHOOK', 'STATE', 'FAILURES', 'DELIVERED', 'ADDRESS', 'DESCRIPTION'];
  const rows = webhooks.map((webhook) => [
    webhook.id,
    stateOf(webhook),
    String(webhook.failures),
    timeOf(webhook.delivered_at),
    printable(webhook.url),
    printable(webhook.description),
  ]);
  return table(head, rows);
}

export function describeWebhook(webhook: Webhook): string {
  const { filter, reason, description, events } = webhook;
  const values = Object.entries(filter.values).map(
    ([field, wanted]) => `${field} ${wanted.map((value) => JSON.stringify(value)).join(' or ')}`,
  );
  const lines = [
    ['Webhook', `${webhook.id} (${stateOf(webhook)})`],
    ...(reason === null ? [] : [['Reason', reason]]),
    ['Address', webhook.url],
    ...(description === '' ? [] : [['Description', description]]),
    ['Events', events.length === EVENT_TYPES.length ? 'all' : events.join(', ')],
    ...(filter.sources.length === 0 ? [] : [['Sources', filter.sources.join(', ')]]),
    ...(filter.fields.length === 0 ? [] : [['Fields', filter.fields.join(', ')]]),
    ...values.map((text) => ['Value', text]),
    ['Batch size', String(webhook.batch_size)],
    ['Cursor', `${webhook.cursor}${webhook.has_all ? ' (has got everything)' : ''}`],
    ['Delivered', timeOf(webhook.delivered_at)],
    ...describeFailures(webhook),
    ...(webhook.previous_secret_until === null
      ? []
      : [['Old secret', `valid until ${timeOf(webhook.previous_secret_until)}`]]),
  ];
  return lines.map(([label = '', text = '']) => `${label.padEnd(11)}  ${printable(text)}`).join('\n');
}

function describeFailures({ state, failures, failing_since, retry_at, last_error }: Webhook): string[][] {
  if (failing_since === null) return [];
  const times = failures === 1 ? 'once' : `${failures} times`;
  // A webhook that is paused or disabled is not tried again.
  const next = state === 'active' ? `; next attempt ${timeOf(retry_at)}` : '';
  return [
    ['Failing', `since ${timeOf(failing_since)}, ${times}${next}`],
    ...(last_error === null ? [] : [['Last error', last_error]]),
  ];
}

export function deliveryTable(deliveries: readonly WebhookDelivery[]): string {
  const head = ['AT', 'MESSAGE', 'MESSAGES', 'EVENTS', 'ATTEMPT', 'STATUS', 'MS', 'RESULT', 'ANSWER'];
  const rows = deliveries.map((one) => [
    timeOf(one.at),
    one.message_id,
    ...[one.messages, one.events, one.attempt, one.status ?? '–', one.took_ms].map(String),
    one.error === null ? 'taken' : printable(one.error),
    printable(firstLine(one.answer)),
  ]);
  return table(head, rows);
}

export function describeTest({ message_id, status, error, took_ms, answer }: TestDelivery): string {
  const lines = [
    error === null ? `Taken: it answered ${status} after ${took_ms} ms.` : `Not taken. ${error}`,
    `Message  ${message_id}`,
    ...(answer ? [`Answer   ${answer}`] : []),
  ];
  return lines.join('\n');
}

export function timeOf(text: string | null): string {
  return text === null ? '–' : `${text.slice(0, 19).replace('T', ' ')} UTC`;
}

function stateOf({ state, failures }: Webhook): string {
  return state === 'active' && failures > 0 ? 'failing' : state;
}

/** So that an error page of a receiver stays in its row. `--json` has the whole answer. */
const MAX_ANSWER_LENGTH = 60;

function firstLine(answer: string | null): string {
  const text = (answer ?? '').trim();
  const [line = ''] = text.split('\n', 1);
  const shown = firstCharacters(line.trimEnd(), MAX_ANSWER_LENGTH);
  return shown === text ? shown : `${shown}…`;
}
