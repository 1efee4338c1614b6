import { barPanel } from './bar-panel.js';
import { CONNECTIONS, connectionsScenario } from './comparisons.js';
import { BATCHES_OF_EXPRESS_WITH_HISTORY, DATABASES, type Database, ratioOf } from './goals.js';
import { SIZES, storedScenario } from './growth.js';
import { linePanel } from './line-panel.js';
import { find, type Row } from './measurement.js';
import { svg, text } from './svg.js';
import { CEILING, EXPRESS, EXPRESS_HISTORY, ON_POSTGRES, ON_SQLITE } from './workbench.js';

/** The index is the index of the colour. */
const SERVERS = [CEILING, EXPRESS, ON_SQLITE, ON_POSTGRES, EXPRESS_HISTORY];
const SERVICES = [ON_SQLITE, ON_POSTGRES];

/** The file name and the SVG of each chart whose scenarios were measured. */
export function charts(rows: readonly Row[]): [name: string, picture: string][] {
  const pictures: [string, string | undefined][] = [
    ['throughput-by-connections.svg', byConnectionsChart(rows)],
    ['throughput-by-stored-accounts.svg', byStoredChart(rows)],
    ['ratios.svg', ratioChart(rows)],
  ];
  return pictures.filter((each): each is [string, string] => each[1] !== undefined);
}

function seriesOf(rows: readonly Row[], targets: readonly string[], scenarios: readonly string[]) {
  return targets.map((name) => ({
    name,
    colour: SERVERS.indexOf(name),
    values: scenarios.map((scenario) => find(rows, scenario, name)?.recordsPerSecond ?? Number.NaN),
  }));
}

const isMeasured = ({ values }: { readonly values: readonly number[] }) => values.every(Number.isFinite);

function byConnectionsChart(rows: readonly Row[]): string | undefined {
  const series = seriesOf(rows, SERVERS, CONNECTIONS.map(connectionsScenario));
  if (!series.every(isMeasured)) return undefined;
  const panel = { title: '', xLabel: 'connections', yLabel: 'records a second', xs: CONNECTIONS, series };
  const box = { left: 76, top: 72, width: 520, height: 280 };
  return svg(800, 410, 'Single upserts by connections', linePanel(panel, box));
}

function byStoredChart(rows: readonly Row[]): string | undefined {
  const panels = (['singles', 'batches'] as const).map((kind) => ({
    title: kind === 'singles' ? 'Single upserts, 64 connections' : 'Batches of 200, 8 connections',
    xLabel: 'stored accounts',
    yLabel: 'records a second',
    xs: SIZES,
    series: seriesOf(
      rows,
      SERVICES,
      SIZES.map((size) => storedScenario(kind, size)),
    ).map((series) => ({
      ...series,
      name: series.name.replace('account-sync, ', ''),
    })),
  }));
  if (!panels.every(({ series }) => series.every(isMeasured))) return undefined;
  const parts = panels.flatMap((panel, i) =>
    linePanel(panel, { left: 76 + 430 * i, top: 100, width: 270, height: 230 }),
  );
  return svg(880, 390, 'account-sync by stored accounts: each record changes one at random', parts);
}

function ratioChart(rows: readonly Row[]): string | undefined {
  const bars = (scenario: 'singles' | 'batches', peer: string, goalOf: (database: Database) => number) =>
    DATABASES.map((each) => ({
      name: `${scenario}, ${each.database}`,
      colour: SERVERS.indexOf(each.service),
      value: ratioOf(rows, 'recordsPerSecond')([scenario, each.service], [scenario, peer]),
      goal: goalOf(each),
    }));
  const toExpress = [
    ...bars('batches', EXPRESS, ({ ofExpress }) => ofExpress),
    ...bars('batches', EXPRESS_HISTORY, () => BATCHES_OF_EXPRESS_WITH_HISTORY).map((bar) => ({
      ...bar,
      name: bar.name.replace('batches', 'with history'),
    })),
  ];
  const toCeiling = bars('singles', CEILING, ({ ofCeiling }) => ofCeiling);
  if (![...toExpress, ...toCeiling].every(({ value }) => Number.isFinite(value))) return undefined;
  const first = { title: 'Times Express + zod + pg', xLabel: 'times its records a second', bars: toExpress };
  const second = { title: 'Of bare node:http', xLabel: 'share of its records a second', bars: toCeiling };
  return svg(760, 470, 'Throughput of account-sync and its peers', [
    ...barPanel(first, { left: 160, top: 76, width: 500, height: 150 }),
    ...barPanel(second, { left: 160, top: 320, width: 500, height: 76 }),
    text(744, 26, 'strokes mark the goals', 'text-anchor="end" class="faint"'),
  ]);
}
