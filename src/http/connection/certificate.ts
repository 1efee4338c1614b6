import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../../config.js';

/** A certificate and its matching private key. */
export interface Certificate {
  /** The text of the file. */
  readonly cert: string;
  readonly key: string;
  readonly subject: string;
  readonly validUntil: Date;
  readonly fingerprint: string;
}

/** The message shows the operator what is wrong with the files. */
export class BadCertificate extends Error {}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** The text of both files, unchecked. */
export type Pair = Pick<Certificate, 'cert' | 'key'>;

/** Rejects with `BadCertificate` if a server cannot use the files. */
export async function readCertificate(files: TlsFiles): Promise<Certificate> {
  return checkPair(await readPair(files), files);
}

export async function readPair(files: TlsFiles): Promise<Pair> {
  const cert = await read('ACCOUNT_SYNC_TLS_CERT', files.cert);
  const key = await read('ACCOUNT_SYNC_TLS_KEY', files.key);
  return { cert, key };
}

export function checkPair({ cert, key }: Pair, files: TlsFiles): Certificate {
  const own = parseChain(cert, files.cert);
  if (!own.checkPrivateKey(parseKey(key, files.key))) {
    throw new BadCertificate(
      `The key in ${files.key} does not belong to the first certificate in ${files.cert}, which must be the server's own.`,
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new BadCertificate(`The certificate in ${files.cert} cannot be used: ${(error as Error).message}.`);
  }
  return {
    cert,
    key,
    // Some authorities leave the subject empty.
    subject: (own.subject ?? own.subjectAltName ?? '').replaceAll('\n', ', '),
    validUntil: new Date(own.validTo),
    fingerprint: own.fingerprint256,
  };
}

async function read(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      ENOENT: 'there is no such file',
      EACCES: 'this user may not read it',
      EISDIR: 'it is a directory',
    };
    throw new BadCertificate(`${setting} is ${path}: ${reasons[code ?? ''] ?? message}.`);
  }
}

/** Parses all certificates of the chain and returns the first, which is the server's own. */
function parseChain(text: string, path: string): X509Certificate {
  try {
    const [own] = (text.match(CERTIFICATES) ?? []).map((pem) => new X509Certificate(pem));
    if (own !== undefined) return own;
  } catch {
    // One of the certificates is truncated or damaged.
  }
  throw new BadCertificate(`${path} (ACCOUNT_SYNC_TLS_CERT) holds no certificate in PEM form.`);
}

function parseKey(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    const what = ENCRYPTED.test(text)
      ? 'holds an encrypted private key; provide one without a passphrase'
      : 'holds no private key in PEM form';
    throw new BadCertificate(`${path} (ACCOUNT_SYNC_TLS_KEY) ${what}.`);
  }
}
