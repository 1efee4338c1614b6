import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryCounts } from '../../delivery/delivery-thread.js';
import type { Store } from '../../store/store.js';
import type { ServingCertificate } from '../connection/serving-certificate.js';
import { lateSources } from '../runs/late-sources.js';
import { durationHistogram } from './duration-histogram.js';
import { PROBES } from './probes.js';
import { RequestCounts } from './request-counts.js';

const STORED = ['created', 'updated', 'unchanged', 'skipped', 'archived', 'restored', 'deleted'] as const;

/** The metrics of one process. */
export type Report = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Registers this process's own report with the other processes; returns a function that collects all reports. */
export type ShareReports = (own: () => Promise<Report>) => () => Promise<Report[]>;

interface MetricsParts {
  readonly store: Store;
  readonly clock: () => number;
  readonly certificate?: ServingCertificate | undefined;
  readonly deliveryCounts?: DeliveryCounts;
  readonly shareReports?: ShareReports;
}

/** `GET /metrics` for Prometheus: the sum over all processes that serve on this port. */
export function serveMetrics(app: FastifyInstance, parts: MetricsParts): void {
  const { store, certificate, shareReports } = parts;
  const registry = new Registry();
  const results = new Counter({
    name: 'account_sync_results_total',
    help: 'Records by result.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of [...STORED, 'refused', 'failed']) results.inc({ result }, 0);
  exposeRequests(app, registry, results);
  exposeStore(store, registry, results);
  exposeLateSources(parts, registry);
  exposeWebhooks(parts, registry);
  if (certificate !== undefined) exposeCertificateExpiry(certificate, registry);
  if (store.dialect === 'sqlite') exposeFreeSpace(store, registry);
  collectDefaultMetrics({ register: registry });
  const readAllReports = shareReports?.(() => registry.getMetricsAsJSON());
  const config = { operation: 'metrics', quiet: true, description: PROBES.metrics };
  app.get('/metrics', { config }, async (_request, reply) => {
    const asked =
      readAllReports === undefined ? registry : AggregatorRegistry.aggregate(await readAllReports());
    return reply.type(registry.contentType).send(await asked.metrics());
  });
}

function exposeLateSources({ store, clock }: MetricsParts, registry: Registry): void {
  new Gauge({
    name: 'account_sync_late_sources',
    help: 'Sources that should have finished a run by now.',
    registers: [registry],
    // All workers see the same sources.
    aggregator: 'max',
    async collect() {
      const late = await lateSources(store, clock()).catch(() => undefined);
      if (late !== undefined) this.set(late.length);
    },
  });
}

function exposeWebhooks({ store, deliveryCounts }: MetricsParts, registry: Registry): void {
  new Gauge({
    name: 'account_sync_webhooks',
    help: 'Webhooks by whether they get events.',
    labelNames: ['state'],
    registers: [registry],
    // All workers see the same webhooks.
    aggregator: 'max',
    async collect() {
      const counts = await store.webhooks.counts().catch(() => ({}));
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  });
  if (deliveryCounts === undefined) return;
  new Counter({
    name: 'account_sync_webhook_messages_total',
    help: 'Messages to webhooks by result.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ result: 'taken' }, deliveryCounts.taken);
      this.inc({ result: 'failed' }, deliveryCounts.failed);
    },
  });
  new Counter({
    name: 'account_sync_webhook_events_total',
    help: 'Events in messages that webhooks have taken.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(deliveryCounts.events);
    },
  });
}

function exposeFreeSpace(store: Store, registry: Registry): void {
  new Gauge({
    name: 'account_sync_disk_free_bytes',
    help: 'Space left on the disk of the data directory.',
    registers: [registry],
    async collect() {
      this.set((await store.freeSpace().catch(() => undefined)) ?? 0);
    },
  });
}

function exposeCertificateExpiry(certificate: ServingCertificate, registry: Registry): void {
  new Gauge({
    name: 'account_sync_tls_certificate_expiry_seconds',
    help: 'When the TLS certificate in use ends, in seconds since 1970.',
    registers: [registry],
    // Of several workers, the certificate that ends first.
    aggregator: 'min',
    collect() {
      this.set(certificate.current.validUntil.getTime() / 1_000);
    },
  });
}

function exposeRequests(app: FastifyInstance, registry: Registry, results: Counter<'result'>): void {
  const counts = new RequestCounts();
  app.addHook('onResponse', (request, reply, done) => {
    const { operation = 'unknown' } = request.routeOptions.config;
    const { statusCode } = reply;
    counts.add(operation, request.method, statusCode, request.records, reply.elapsedTime / 1_000);
    // A rejected request rejects all its records; an import that succeeds may reject some.
    const refused = statusCode < 400 ? request.rejectedRecords : request.records;
    if (refused > 0) results.inc({ result: statusCode < 500 ? 'refused' : 'failed' }, refused);
    done();
  });
  new Counter({
    name: 'account_sync_http_requests_total',
    help: 'Requests that got a response.',
    labelNames: ['operation', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of counts.requests()) this.inc(labels, count);
    },
  });
  new Counter({
    name: 'account_sync_records_received_total',
    help: 'Records in requests that got a response.',
    labelNames: ['operation'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { operation, records } of counts.records()) this.inc({ operation }, records);
    },
  });
  registry.registerMetric(
    durationHistogram(
      'account_sync_http_request_duration_seconds',
      'Time from the headers of a request to the end of its response.',
      counts,
    ),
  );
}

function exposeStore(store: Store, registry: Registry, results: Counter<'result'>): void {
  const registers = [registry];
  const sizes = new Histogram({
    name: 'account_sync_group_records',
    help: 'Records that were committed together.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
    registers,
  });
  const times = new Histogram({
    name: 'account_sync_group_commit_seconds',
    help: 'Time to store and commit one group.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const failures = new Counter({
    name: 'account_sync_database_errors_total',
    help: 'Database operations that failed or did not reach the database.',
    registers,
  });
  const pruned = new Counter({
    name: 'account_sync_pruned_total',
    help: 'Rows removed because their retention ended, or because they are no longer indexed.',
    labelNames: ['what'],
    registers,
  });
  for (const what of ['history', 'rejections', 'deliveries', 'values']) pruned.inc({ what }, 0);
  new Gauge({
    name: 'account_sync_waiting_records',
    help: 'Records that wait to be stored.',
    registers,
    collect() {
      this.set(store.waitingRecords());
    },
  });
  store.observe({
    groupCommitted(counts, seconds) {
      sizes.observe(STORED.reduce((sum, result) => sum + counts[result], 0));
      times.observe(seconds);
      for (const result of STORED) {
        if (counts[result] > 0) results.inc({ result }, counts[result]);
      }
    },
    databaseFailed: () => failures.inc(),
    pruned: (what, rows) => pruned.inc({ what }, rows),
  });
}
