import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

export type IdMode = 'any' | 'domain';

/** Trimmed, NFC, lower case; in domain mode, a domain in its ASCII form. */
export function canonicalId(sent: string, mode: IdMode): string {
  const id = sent.trim().normalize('NFC').toLowerCase().normalize('NFC');
  return mode === 'domain' ? (domainOf(id) ?? id) : id;
}

/** A host name below a public suffix of the ICANN part, in ASCII. */
export function domainOf(id: string): string | undefined {
  const host = /^[\p{L}\p{M}\p{N}.-]+$/u.test(id) ? domainToASCII(id) : '';
  const isHost = host.length <= 253 && /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$/.test(host);
  const { domain, isIcann, isIp } = parse(host);
  return isHost && domain !== null && isIcann && !isIp ? host : undefined;
}

/** The trimmed text of an id; an integer becomes its decimal string. */
export function sentId(sent: unknown): string | undefined {
  if (typeof sent === 'string') return sent.trim();
  return Number.isSafeInteger(sent) ? String(sent) : undefined;
}

const BLOCKED = new Set([
  ...[
    'null',
    '(null)',
    '<null>',
    'nil',
    '<nil>',
    'undefined',
    'none',
    '(none)',
    'nan',
    'n/a',
    '#n/a',
    '#ref!',
  ],
  ...['#value!', '#name?', 'infinity', '-infinity', '[object object]', 'account_id', '{{account_id}}'],
  ...['{account_id}', `$\{account_id}`, '%account_id%', '<account_id>'],
  ...['00000000-0000-0000-0000-000000000000', '{00000000-0000-0000-0000-000000000000}'],
]);

export function isBlocked(id: string, patterns: Iterable<string>, mode: IdMode): boolean {
  const blocks = (pattern: string) =>
    pattern.startsWith('*.') ? id.endsWith(pattern.slice(1)) : canonicalId(pattern, mode) === id;
  return BLOCKED.has(id) || [...patterns].some(blocks);
}
