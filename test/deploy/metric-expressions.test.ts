import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { freshDirectory } from '../support/service.js';
import { ExposedMetrics, type Labels } from './exposed-metrics.js';
import { metricsOf, problemsOf } from './promql.js';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'));
const panels: Panel[] = dashboard.panels;
const rules: { alert: string; expr: string }[] = parse(read('deploy/prometheus-rules.yaml')).groups[0].rules;

/** Grafana replaces its variables before Prometheus reads an expression. */
const inPrometheus = (expr: string) => expr.replaceAll('$__rate_interval', '1m');

const ofPanels = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr: inPrometheus(expr), legendFormat })),
);
const ofVariables: string[] = dashboard.templating.list.flatMap(({ query }: { query: { query?: string } }) =>
  query.query === undefined ? [] : [/^label_values\((.+), \w+\)$/.exec(query.query)?.[1]],
);

describe('the alert rules and the dashboard', () => {
  let exposed: ExposedMetrics;
  let metrics: Map<string, Labels>;
  beforeAll(async () => {
    exposed = await ExposedMetrics.start(await freshDirectory());
    // A histogram of garbage collection has labels once there was one.
    const hasCollected = async () => {
      metrics = await exposed.read();
      return metrics.has('nodejs_gc_duration_seconds_sum');
    };
    await vi.waitUntil(hasCollected, { timeout: 30_000 });
  });
  afterAll(() => exposed.stop());

  it.each(rules)('$alert uses metrics, labels and values that a server exposes', ({ expr }) => {
    expect(problemsOf(expr, metrics)).toEqual([]);
  });

  it.each(ofPanels)('the panel "$title" does, too', ({ expr, legendFormat }) => {
    expect(problemsOf(expr, metrics)).toEqual([]);
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
    const [name = ''] = metricsOf(expr);
    expect(labels.filter((label) => !metrics.get(name)?.has(label))).toEqual([]);
  });

  it.each(ofVariables)('so does the variable with the values of %s', (expr) => {
    expect(problemsOf(expr, metrics)).toEqual([]);
  });

  it('every metric of the service is on the dashboard', () => {
    const shown = new Set(ofPanels.flatMap(({ expr }) => metricsOf(expr)).map(withoutSuffix));
    const own = [...metrics.keys()].filter((name) => name.startsWith('account_sync_')).map(withoutSuffix);
    expect([...new Set(own)].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('an expression that names something else is noticed', () => {
    const expr =
      'sum by (kind) (rate(account_sync_results_total{result="lost|failed", tenant="a"}[5m])) + account_sync_nothing +';
    expect(problemsOf(expr, metrics)).toEqual([
      'account_sync_results_total has no label kind to group by',
      'account_sync_results_total never has result="lost"',
      'account_sync_results_total has no label tenant',
      'no metric account_sync_nothing',
      `syntax error at ${expr.length}`,
    ]);
  });
});

it('panels do not overlap, and each has an id of its own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

it('docs/monitoring.md explains every alert', () => {
  const explained = [...read('docs/monitoring.md').matchAll(/^\| `(AccountSync\w+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(explained).toEqual(rules.map(({ alert }) => alert));
});

function withoutSuffix(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, '');
}
