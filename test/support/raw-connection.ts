import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which a test sends what no library would, byte by byte. */
export class RawConnection {
  /** What came back, a character a byte. */
  text = '';
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    // A reset is an end like any other here.
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(url: string): Promise<RawConnection> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Each character is a byte. */
  send(text: string | Buffer): boolean {
    return this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  /** Resolves once so many answers have begun, and the last has ended as this says, or the connection is closed. */
  async answered(count: number, ending: string | RegExp = /\}$/): Promise<number[]> {
    const isThere = () =>
      this.statuses.length >= count &&
      (typeof ending === 'string' ? this.text.endsWith(ending) : ending.test(this.text));
    while (!isThere() && !this.socket.destroyed) {
      await new Promise<void>((resolve) => {
        this.socket.once('data', () => resolve());
        this.closed.then(resolve);
      });
    }
    return this.statuses;
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Of the last answer. */
  get body(): string {
    return this.text.slice(this.text.lastIndexOf('\r\n\r\n') + 4);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The head of a request, each line as it is given. */
export function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n');
}
