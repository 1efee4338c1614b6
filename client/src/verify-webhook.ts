import type { WebhookMessage } from './wire.js';

/** Headers as the servers of Node.js and of the Fetch API provide them. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The message was not sent by account-sync for this webhook, was changed on its way, or is too old. */
export class InvalidWebhookError extends Error {
  override readonly name = 'InvalidWebhookError';
}

const PREFIX = 'whsec_';
/** How much the clocks of sender and receiver may differ. An older message may be one that was recorded. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Returns the message of a webhook if it is signed with its secret, as the Standard Webhooks specification describes it;
 * rejects with `InvalidWebhookError` otherwise. `body` is the body as it was received: JSON that was parsed and written
 * again may differ.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
): Promise<WebhookMessage> {
  const key = await keyOf(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) throw new InvalidWebhookError('webhook-timestamp is not a time.');
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) {
    throw new InvalidWebhookError(
      `The message is ${ageSeconds > 0 ? 'too old' : 'of the future'}: compare the clocks of both machines.`,
    );
  }
  const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, join(`${id}.${timestamp}.`, body)));
  for (const signature of signatures) {
    // Later versions of the specification may add other kinds of signatures.
    const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : undefined;
    if (bytes === undefined || !isEqual(bytes, expected)) continue;
    const { timestamp: at, data } = JSON.parse(
      typeof body === 'string' ? body : new TextDecoder().decode(body),
    );
    return { id, timestamp: at, data };
  }
  throw new InvalidWebhookError('No signature is valid: compare the secret with that of the webhook.');
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('The secret is not one of a webhook: it begins with whsec_.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string') return value;
  throw new InvalidWebhookError(`The header ${name} is missing.`);
}

/** Takes the same time wherever they differ, so that a signature cannot be guessed byte by byte. */
function isEqual(bytes: Uint8Array, expected: Uint8Array): boolean {
  if (bytes.length !== expected.length) return false;
  return expected.reduce((difference, byte, i) => difference | (byte ^ (bytes[i] ?? 0)), 0) === 0;
}

/** Undefined if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function join(start: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(start);
  const rest = typeof body === 'string' ? encoder.encode(body) : body;
  const all = new Uint8Array(head.length + rest.length);
  all.set(head);
  all.set(rest, head.length);
  return all;
}
