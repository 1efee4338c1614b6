import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import xterm from '@xterm/headless';
import { environment, PROGRAM, type Settings } from '../support/service.js';

const ROWS = 24;

/** Runs the program in a terminal of the given width, and shows what a user sees. */
export class Screen {
  /** Everything that was written to the terminal. */
  raw = '';
  readonly #terminal: xterm.Terminal;
  readonly #child: ChildProcess;
  readonly finished: Promise<number | null>;
  /** Called with the lines after each drawing. */
  onDrawn: (lines: readonly string[]) => void = () => {};
  #look = () => {};

  constructor(args: readonly string[], settings: Settings, columns: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows: ROWS, allowProposedApi: true });
    const command = [process.execPath, PROGRAM, ...args].map((arg) => `'${arg.replaceAll("'", "'\\''")}'`);
    const script = `stty cols ${columns} rows ${ROWS}; exec ${command.join(' ')}`;
    const env = environment({ TERM: 'xterm', SHELL: '/bin/sh', ...settings });
    this.#child = spawn('script', ['-qfec', script, '/dev/null'], { env });
    this.#child.stdout?.setEncoding('utf8').on('data', (text) => {
      this.raw += text;
      this.#terminal.write(text, () => {
        this.onDrawn(this.lines);
        this.#look();
      });
    });
    this.finished = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      // Waits for pending drawings first.
      this.#child.on('close', (status) => this.#terminal.write('', () => resolve(status)));
    });
  }

  /** Whether `script` of util-linux is available, which provides a terminal. */
  static isPossible(): boolean {
    try {
      return execFileSync('script', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).includes(
        'util-linux',
      );
    } catch {
      return false;
    }
  }

  /** All lines up to the last non-empty one, including scrolled ones; a wrapped line counts as one. */
  get lines(): string[] {
    const { active } = this.#terminal.buffer;
    let text = '';
    for (let at = 0; at < active.length; at += 1) {
      const isContinued = active.getLine(at + 1)?.isWrapped ?? false;
      text += `${active.getLine(at)?.translateToString(!isContinued)}${isContinued ? '' : '\n'}`;
    }
    return text.trimEnd().split('\n');
  }

  /** Resolves with the lines once one of them matches; rejects if the program ends first. */
  shows(pattern: RegExp): Promise<string[]> {
    return new Promise((resolve, reject) => {
      this.#look = () => {
        if (this.lines.some((line) => pattern.test(line))) resolve(this.lines);
      };
      this.#look();
      this.finished.then(
        () => reject(new Error(`It ended without showing ${pattern}:\n${this.raw}`)),
        reject,
      );
    });
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }
}
