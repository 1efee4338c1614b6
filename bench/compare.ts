import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { charts } from './charts.js';
import { chooseGenerator } from './choose-generator.js';
import { comparisons, randomChanges } from './comparisons.js';
import { describeMachine, type Machine } from './describe-machine.js';
import { goals, goalTable, verdict } from './goals.js';
import { growth } from './growth.js';
import { interruption } from './interruption.js';
import { logProgress } from './log-progress.js';
import { type Options, readOptions, SCENARIOS } from './read-options.js';
import { resultTables } from './result-tables.js';
import { Workbench } from './workbench.js';

try {
  const options = readOptions();
  if (options !== undefined) await Workbench.use((workbench) => compare(workbench, options));
} catch (error) {
  // Ctrl-C also ends the servers, so any error after it can be a consequence.
  process.stderr.write(`${interruption.aborted ? 'Interrupted.' : (error as Error).stack}\n`);
  process.exitCode = interruption.aborted ? 130 : 1;
}

/** Measures the service and its peers in one run. Tables go to standard output, figures and charts to files. */
async function compare(workbench: Workbench, options: Options): Promise<void> {
  // Created first: a failure here after the measurement would lose all results.
  mkdirSync(options.out, { recursive: true });
  const generator = chooseGenerator();
  const machine = await describeMachine(workbench, generator.name);
  logProgress(`load from ${generator.name}`);
  const compared = await comparisons(workbench, generator, options);
  const changed = await randomChanges(workbench, generator, options);
  const grown = await growth(workbench, generator, options);
  const rows = [...compared, ...changed, ...grown.rows];
  const reached = goals(rows, grown.starts);
  const tables = [...resultTables(rows, grown.starts), goalTable(reached)];
  process.stdout.write(`\n${[preface(machine, options), ...tables].join('\n')}\n`);

  const { rounds, seconds } = options.roundSettings;
  const judged = reached.map((goal) => ({ ...goal, verdict: verdict(goal) }));
  const all = { machine, rounds, seconds, goals: judged, rows, starts: grown.starts };
  writeFileSync(join(options.out, 'results.json'), `${JSON.stringify(all, rounded, 2)}\n`);
  for (const [name, svg] of charts(rows)) writeFileSync(join(options.out, name), svg);
  logProgress(`results and charts are in ${options.out}`);
}

function preface(machine: Machine, { scenarios, roundSettings, isQuick }: Options): string {
  const { date, processor, cores, memoryGiB, kernel, node, sqlite, postgres, generator, syncedWriteMs } =
    machine;
  const skipped = SCENARIOS.filter((name) => !scenarios.includes(name));
  const lines = [
    `${date}: ${processor}, ${cores} cores, ${memoryGiB} GiB, ${kernel}`,
    `Node.js ${node}, SQLite ${sqlite}, PostgreSQL ${postgres}; 4 KiB are on disk after ${syncedWriteMs.toFixed(3)} ms`,
    `Load from ${generator}${generator.startsWith('wrk') ? '' : ', because wrk is not installed'}`,
    `Medians of ${roundSettings.rounds} rounds of ${roundSettings.seconds} s${isQuick ? ', quick run' : ''}`,
    ...(skipped.length > 0 ? [`Skipped: ${skipped.join(', ')}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Rounds to six digits: no figure is more precise. */
function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}
