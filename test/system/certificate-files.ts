import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshDirectory, type Settings } from '../support/service.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/tls/', import.meta.url));

export const fixture = (name: string) => join(FIXTURES, name);
/** The authority that signed the certificates of the tests. */
export const AUTHORITY = readFileSync(fixture('authority.pem'), 'utf8');

/** A pair of files that is replaced while in use, as Kubernetes does: by switching a link to a new directory. */
export class CertificateFiles {
  #turns = 0;

  private constructor(readonly directory: string) {}

  static async of(certificate: string, key = certificate): Promise<CertificateFiles> {
    const files = new CertificateFiles(await freshDirectory());
    await files.replace(certificate, key);
    return files;
  }

  get settings(): Settings {
    return { ACCOUNT_SYNC_TLS_CERT: this.cert, ACCOUNT_SYNC_TLS_KEY: this.key };
  }

  get cert(): string {
    return join(this.directory, 'now', 'tls.crt');
  }

  get key(): string {
    return join(this.directory, 'now', 'tls.key');
  }

  async replace(certificate: string, key = certificate): Promise<void> {
    this.#turns += 1;
    const target = join(this.directory, String(this.#turns));
    await mkdir(target);
    await writeFile(join(target, 'tls.crt'), readFileSync(fixture(`${certificate}.pem`)));
    await writeFile(join(target, 'tls.key'), readFileSync(fixture(`${key}.key`)));
    await symlink(target, join(this.directory, 'next'));
    await rename(join(this.directory, 'next'), join(this.directory, 'now'));
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }
}
