import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { RoundSettings } from './interleave.js';

export const SCENARIOS = ['singles', 'batches', 'one', 'changes', 'connections', 'stored', 'start'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export interface Options {
  readonly scenarios: readonly ScenarioName[];
  readonly isQuick: boolean;
  readonly roundSettings: RoundSettings;
  /** Number of starts of each empty and each full store. */
  readonly starts: number;
  /** The directory for the results. */
  readonly out: string;
}

const QUICK: readonly ScenarioName[] = ['singles', 'batches', 'one'];
const OUT = fileURLToPath(new URL('../../../bench/results', import.meta.url));

const HELP = `Usage: npm run bench -- [options]

Compares account-sync on SQLite and PostgreSQL with its upper bounds and peers.

  --quick         fewer, shorter rounds; takes a little more than a minute: ${QUICK.join(', ')}
  --only <list>   only these scenarios, separated by commas: ${SCENARIOS.join(', ')}
  --out <dir>     the directory for results.json and the charts (default: bench/results)
  --help          this text
`;

/** `undefined` if nothing is to be measured: after `--help`, or if an option is invalid. */
export function readOptions(): Options | undefined {
  try {
    const { quick, only, out, help } = parse();
    if (help) {
      process.stdout.write(HELP);
      return undefined;
    }
    const scenarios = only?.split(',').map(scenarioNamed) ?? (quick ? QUICK : SCENARIOS);
    const roundSettings = quick ? { rounds: 3, seconds: 1 } : { rounds: 5, seconds: 3 };
    return { scenarios, isQuick: quick, roundSettings, starts: quick ? 3 : 7, out };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
    process.exitCode = 1;
    return undefined;
  }
}

function parse() {
  const options = {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string', default: OUT },
    help: { type: 'boolean', default: false },
  } as const;
  return parseArgs({ options }).values;
}

function scenarioNamed(name: string): ScenarioName {
  const found = SCENARIOS.find((each) => each === name);
  if (found === undefined) throw new Error(`There is no scenario ${name}.`);
  return found;
}
