import type { SecureContextOptions, Server, TlsOptions } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import type { TlsFiles } from '../../config.js';
import { BadCertificate, type Certificate, checkPair, readCertificate, readPair } from './certificate.js';

/** How soon a new certificate is used. Both files together have a few kilobytes, so reading them is cheap. */
const CHECK_MS = 3_000;
/** Limit for the TLS handshake; Node's default is two minutes. */
const HANDSHAKE_MS = 10_000;

/** The TLS certificate of a server, replaced without a restart whenever its files hold another valid one. */
export class ServingCertificate {
  readonly #files: TlsFiles;
  readonly #log: FastifyBaseLogger;
  readonly #timer: NodeJS.Timeout;
  #current: Certificate;
  #server: Server | undefined;
  /** The last problem that was logged, so that it is logged once. */
  #problem: string | undefined;

  private constructor(files: TlsFiles, first: Certificate, log: FastifyBaseLogger) {
    this.#files = files;
    this.#log = log;
    this.#current = first;
    this.#announce();
    // Polling, because file system events miss files that are replaced by renames or by links to other directories.
    this.#timer = setInterval(() => this.#checkFiles(), CHECK_MS).unref();
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

  /** New connections get each new certificate; open connections keep the one they have. */
  attach(server: Server): void {
    this.#server = server;
    server.prependListener('tlsClientError', ({ code }: NodeJS.ErrnoException, socket) => {
      this.#log.debug({ code }, 'a TLS handshake failed');
      // Without a completed handshake no response can be sent.
      socket.destroy();
    });
  }

  /** Reads the files now, and logs the certificate in use even if it has not changed. */
  async reload(): Promise<void> {
    const before = this.#current;
    this.#problem = undefined;
    await this.#checkFiles();
    if (this.#current === before && this.#problem === undefined) this.#announce();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  get #context(): SecureContextOptions {
    const { cert, key } = this.#current;
    return { cert, key, minVersion: 'TLSv1.2' };
  }

  async #checkFiles(): Promise<void> {
    try {
      const found = await readPair(this.#files);
      const { cert, key } = this.#current;
      if (found.cert !== cert || found.key !== key) this.#use(checkPair(found, this.#files));
      this.#problem = undefined;
    } catch (error) {
      if (!(error instanceof BadCertificate)) throw error;
      if (error.message === this.#problem) return;
      this.#problem = error.message;
      this.#log.warn(`${error.message} The previous certificate stays in use.`);
    }
  }

  #use(next: Certificate): void {
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
