import type { WebhookDelivery, WebhookWithSecret } from '@account-sync/client';
import { Command } from 'commander';
import {
  connect,
  Outages,
  readServer,
  type ServerOptions,
  withServer,
  withServerErrors,
} from '../client/connect.js';
import { CommandFailed, type OutputOptions, print, withJson } from '../terminal/command-line.js';
import { printableLines } from '../terminal/printable.js';
import {
  deliveryTable,
  describeTest,
  describeWebhook,
  timeOf,
  webhookTable,
} from '../webhook/describe-webhook.js';
import { changesOf, type SettingsOptions, settingsOf, withSettings } from '../webhook/settings-options.js';
import { noWebhook, withWebhookErrors } from '../webhook/webhook-errors.js';
import { listenCommand } from './webhook-listen.js';

interface CommonOptions extends ServerOptions, OutputOptions {}

interface CreateOptions extends CommonOptions, SettingsOptions {}

interface SetOptions extends CreateOptions {
  readonly all?: boolean;
  readonly address?: string;
}

interface ReplayOptions extends CommonOptions {
  readonly since?: string;
  readonly after?: string;
}

interface DeliveriesOptions extends CommonOptions {
  readonly limit: number;
  readonly failed?: boolean;
}

export function webhookCommand(): Command {
  const command = new Command('webhook').description('push changes to other systems as they happen');
  const add = (usage: string, description: string) =>
    withServer(withJson(command.command(usage).description(description)));
  withSettings(add('create <address>', 'create a webhook; its secret is shown once')).action(
    withWebhookErrors(createWebhook),
  );
  add('list', 'list the webhooks').action(withServerErrors(listWebhooks));
  add('show <id>', 'show a webhook, and how far it is').action(withWebhookErrors(showWebhook));
  withSettings(add('set <id>', 'change a webhook; what is not given stays'))
    .option('--address <url>', 'where it goes')
    .option('--all', 'send all events: forget the events, sources, fields and values chosen before')
    .action(withWebhookErrors(setWebhook));
  add('pause <id>', 'send nothing until it is resumed').action(withWebhookErrors(pauseWebhook));
  add('resume <id>', 'continue where it was, at once').action(withWebhookErrors(resumeWebhook));
  add('replay <id>', 'send events again, from a moment or cursor on')
    .option('--since <time>', 'a time such as 2027-02-01T00:00:00Z')
    .option('--after <cursor>', 'the cursor of the last event that was processed')
    .action(withWebhookErrors(replayWebhook));
  add('test <id>', 'send a test event, and show the answer').action(withWebhookErrors(testWebhook));
  add('deliveries <id>', 'list the latest deliveries, newest first')
    .option('--limit <n>', 'how many', Number, 20)
    .option('--failed', 'only those that were not taken')
    .action(withWebhookErrors(listDeliveries));
  add('rotate <id>', 'replace the secret; for 24 hours both are valid').action(
    withWebhookErrors(rotateSecret),
  );
  add('remove <id>', 'remove a webhook with its deliveries').action(withWebhookErrors(removeWebhook));
  return command.addCommand(listenCommand());
}

async function createWebhook(url: string, options: CreateOptions): Promise<void> {
  const { webhooks } = await open(options);
  const webhook = await webhooks.create({ url, ...settingsOf(options) });
  printSecret(options, webhook, `Created the webhook ${webhook.id}. It gets events from now on.`);
}

async function listWebhooks(options: CommonOptions): Promise<void> {
  const { webhooks } = await open(options);
  const all = await webhooks.list();
  const none = 'No webhooks yet. Create one with: account-sync webhook create https://example.com/events';
  print(options, all, all.length === 0 ? none : webhookTable(all));
}

async function showWebhook(id: string, options: CommonOptions): Promise<void> {
  const { webhooks } = await open(options);
  const webhook = await webhooks.get(id);
  print(options, webhook, describeWebhook(webhook));
}

async function setWebhook(id: string, options: SetOptions): Promise<void> {
  const { webhooks } = await open(options);
  const changes = await changesOf(options, () => webhooks.get(id));
  if (Object.keys(changes).length === 0) throw new CommandFailed('Give at least one option to change.');
  const webhook = await webhooks.change(id, changes);
  print(options, webhook, describeWebhook(webhook));
}

async function pauseWebhook(id: string, options: CommonOptions): Promise<void> {
  const { webhooks } = await open(options);
  const webhook = await webhooks.change(id, { state: 'paused' });
  print(options, webhook, `Paused ${id}. Continue with: account-sync webhook resume ${id}`);
}

async function resumeWebhook(id: string, options: CommonOptions): Promise<void> {
  const { webhooks } = await open(options);
  const webhook = await webhooks.change(id, { state: 'active' });
  print(options, webhook, `Resumed ${id}. It continues after ${webhook.cursor}.`);
}

async function replayWebhook(id: string, options: ReplayOptions): Promise<void> {
  const { since, after } = options;
  if ((since === undefined) === (after === undefined))
    throw new CommandFailed('Give either --since <time> or --after <cursor>.');
  const { webhooks } = await open(options);
  const webhook = await webhooks.replay(id, since === undefined ? { after: after ?? '' } : { since });
  print(options, webhook, `${id} gets everything after ${webhook.cursor} again.`);
}

async function testWebhook(id: string, options: CommonOptions): Promise<void> {
  const { webhooks } = await open(options);
  const delivery = await webhooks.test(id);
  print(options, delivery, describeTest(delivery));
  if (delivery.error !== null) process.exitCode = 1;
}

async function listDeliveries(id: string, options: DeliveriesOptions): Promise<void> {
  const { limit, failed = false } = options;
  if (!(Number.isInteger(limit) && limit >= 1))
    throw new CommandFailed('Give --limit a whole number of at least 1.');
  const { webhooks } = await open(options);
  const found: WebhookDelivery[] = [];
  for await (const delivery of webhooks.deliveries(id)) {
    if (failed && delivery.error === null) continue;
    found.push(delivery);
    if (found.length === limit) break;
  }
  print(options, found, found.length === 0 ? 'No deliveries.' : deliveryTable(found));
}

async function rotateSecret(id: string, options: CommonOptions): Promise<void> {
  const { webhooks } = await open(options);
  const webhook = await webhooks.rotateSecret(id);
  const until = timeOf(webhook.previous_secret_until);
  printSecret(options, webhook, `${id} has a new secret. The old one is valid until ${until}.`);
}

async function removeWebhook(id: string, options: CommonOptions): Promise<void> {
  const { webhooks } = await open(options);
  if (!(await webhooks.remove(id))) throw noWebhook(id);
  print(options, { id, removed: true }, `Removed the webhook ${id}.`);
}

async function open(options: CommonOptions) {
  const outages = new Outages((line) => process.stderr.write(`${printableLines(line)}\n`));
  return connect(await readServer(options), { outages });
}

function printSecret(options: OutputOptions, webhook: WebhookWithSecret, text: string): void {
  const lines = [
    text,
    '',
    `Secret  ${webhook.secret}`,
    '',
    'It is not shown again: store it where the receiver reads it.',
  ];
  print(options, webhook, lines.join('\n'));
}
