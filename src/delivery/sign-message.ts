import { createHmac } from 'node:crypto';
import type { Secrets } from '../store/webhooks/webhook-row.js';

const SECRET_PREFIX = 'whsec_';

export interface Message {
  readonly id: string;
  readonly body: Buffer;
}

/** The headers of the Standard Webhooks specification, with a signature for each secret. */
export function signMessage({ id, body }: Message, secrets: Secrets, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
