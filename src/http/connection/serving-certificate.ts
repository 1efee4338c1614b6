import type { SecureContextOptions, Server, TlsOptions } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import type { TlsFiles } from '../../config.js';
import { BadCertificate, type Certificate, checkPair, readCertificate, readPair } from './certificate.js';

/** How soon a new certificate is found; both files together are a few kilobytes. */
export const LOOK_MS = 3_000;
/** Somebody who connects and says nothing would otherwise be waited for two minutes. */
const HANDSHAKE_MS = 10_000;

/** The certificate that a server shows, replaced whenever its files hold another one that can be used. */
export class ServingCertificate {
  readonly #files: TlsFiles;
  readonly #log: FastifyBaseLogger;
  readonly #timer: NodeJS.Timeout;
  #current: Certificate;
  #server: Server | undefined;
  /** What was last said about the files. */
  #problem: string | undefined;

  private constructor(files: TlsFiles, first: Certificate, log: FastifyBaseLogger) {
    this.#files = files;
    this.#log = log;
    this.#current = first;
    this.#announce();
    // Not by events of the file system: files are replaced by renames and by links to other directories.
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Rejects with `BadCertificate`. */
  static async open(files: TlsFiles, log: FastifyBaseLogger): Promise<ServingCertificate> {
    return new ServingCertificate(files, await readCertificate(files), log);
  }

  get current(): Certificate {
    return this.#current;
  }

  get serverOptions(): TlsOptions {
    return { ...this.#context, handshakeTimeout: HANDSHAKE_MS };
  }

  /** HttpConnections that are open stay as they are; later ones see the new certificate. */
  keepOn(server: Server): void {
    this.#server = server;
    server.prependListener('tlsClientError', ({ code }: NodeJS.ErrnoException, socket) => {
      this.#log.debug({ code }, 'a TLS handshake failed');
      // Without keys there is nothing to answer with, and nobody who would read it.
      socket.destroy();
    });
  }

  /** Says what is in use now, even where nothing has changed. */
  async reload(): Promise<void> {
    const before = this.#current;
    this.#problem = undefined;
    await this.#look();
    if (this.#current === before && this.#problem === undefined) this.#announce();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  get #context(): SecureContextOptions {
    const { cert, key } = this.#current;
    return { cert, key, minVersion: 'TLSv1.2' };
  }

  async #look(): Promise<void> {
    try {
      const found = await readPair(this.#files);
      const { cert, key } = this.#current;
      if (found.cert !== cert || found.key !== key) this.#take(checkPair(found, this.#files));
      this.#problem = undefined;
    } catch (error) {
      if (!(error instanceof BadCertificate)) throw error;
      if (error.message === this.#problem) return;
      this.#problem = error.message;
      this.#log.warn(`${error.message} The certificate from before stays in use.`);
    }
  }

  #take(next: Certificate): void {
    this.#current = next;
    this.#server?.setSecureContext(this.#context);
    this.#announce();
  }

  #announce(): void {
    const { subject, validUntil } = this.#current;
    const fields = { subject, validUntil };
    if (validUntil.getTime() < Date.now()) this.#log.warn(fields, 'the TLS certificate in use has expired');
    else this.#log.info(fields, 'TLS certificate in use');
  }
}
