import { withServerErrors } from '../client/connect.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { SettingsOptions } from './settings-options.js';

/** The parts of a request, and how the command line names them. */
const NAMES: Readonly<Record<string, string>> = {
  '/body/url': 'The address',
  '/body/description': '--description',
  '/body/after': '--after',
  '/body/since': '--since',
  '/body/filter/fields': '--field',
  '/body/filter/sources': '--source',
  '/body/filter/values': '--value',
};

/** Wraps the action of a command about one webhook, or about a new one: rejections name the options of the command. */
export function withWebhookErrors<Options extends object>(
  work: (subject: string, options: Options) => Promise<void>,
): (subject: string, options: Options) => Promise<void> {
  return withServerErrors(async (subject: string, options: Options) => {
    const { RefusedError } = await import('@account-sync/client');
    try {
      await work(subject, options);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.code === 'not_found') throw noWebhook(subject);
      const problems = Object.entries(error.errors);
      if (error.code !== 'invalid_request' || problems.length === 0) throw error;
      const sentences = problems.flatMap(([pointer, details]) =>
        details.map((detail) => `${nameOf(pointer, options as SettingsOptions)} ${detail}.`),
      );
      throw new CommandFailed(sentences.join('\n'));
    }
  });
}

export function noWebhook(id: string): CommandFailed {
  return new CommandFailed(`There is no webhook ${id}. List them with: account-sync webhook list`);
}

function nameOf(pointer: string, { source = [] }: SettingsOptions): string {
  const [, index] = /^\/body\/filter\/sources\/(\d+)$/.exec(pointer) ?? [];
  if (index !== undefined) return `--source ${source[Number(index)] ?? ''}`.trimEnd();
  const part = Object.keys(NAMES).find((known) => pointer === known || pointer.startsWith(`${known}/`));
  return part === undefined ? pointer : (NAMES[part] ?? pointer);
}
