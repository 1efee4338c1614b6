import { scryptSync } from 'node:crypto';

/** A hash as the service stores it, with a cost that takes no time. The service replaces it at the first sign-in. */
export function cheapHash(password: string): string {
  const salt = Buffer.from('salt-of-the-test');
  const hash = scryptSync(password.normalize('NFC'), salt, 32, { N: 2, r: 8, p: 1 });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$scrypt$ln=1,r=8,p=1$${text(salt)}$${text(hash)}`;
}
