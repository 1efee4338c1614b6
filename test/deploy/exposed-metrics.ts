import { Service } from '../support/service.js';
import { CertificateFiles } from '../system/certificate-files.js';
import { ask } from '../system/secure-request.js';

/** The labels of a metric, each with the values that a query may compare with. */
export type Labels = Map<string, Set<string>>;

/** Node.js reports these on Linux only. */
const ON_LINUX = ['process_open_fds'];

/** What a running server exposes, and what Prometheus adds to it. */
export class ExposedMetrics {
  private constructor(
    private readonly service: Service,
    private readonly files: CertificateFiles,
  ) {}

  /** On SQLite and with TLS, because only then every metric exists. */
  static async start(dataDir: string): Promise<ExposedMetrics> {
    const files = await CertificateFiles.of('first');
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir, ...files.settings });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    await ask(`${service.url}/api/v1_1/account`, { headers, body: '{"account_id":"acme"}' });
    return new ExposedMetrics(service, files);
  }

  /** The labels by the name of a metric. */
  async read(): Promise<Map<string, Labels>> {
    const metrics = new Map<string, Labels>([['up', new Map()]]);
    for (const name of process.platform === 'linux' ? [] : ON_LINUX) metrics.set(name, new Map());
    const { body } = await ask(`${this.service.url}/metrics`);
    for (const [, name = '', text = ''] of body.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const labels = metrics.get(name) ?? new Map();
      metrics.set(name, labels);
      for (const [, label, value] of text.matchAll(/(\w+)="([^"]*)"/g)) addTo(labels, label, value);
    }
    const { operations, statuses } = await this.#documented();
    for (const labels of metrics.values()) {
      for (const label of ['job', 'instance']) addTo(labels, label, '');
      // A server counts an operation and a status once it had a request with it.
      for (const value of labels.has('operation') ? operations : []) addTo(labels, 'operation', value);
      for (const value of labels.has('status') ? statuses : []) addTo(labels, 'status', value);
    }
    return metrics;
  }

  async #documented() {
    const { paths } = JSON.parse((await ask(`${this.service.url}/openapi.json`)).body);
    const all = Object.values(paths).flatMap((path) => Object.values(path as Record<string, Operation>));
    return {
      operations: all.map(({ operationId }) => operationId),
      statuses: new Set(all.flatMap(({ responses }) => Object.keys(responses ?? {}))),
    };
  }

  async stop(): Promise<void> {
    await this.service.stopAndRemove();
    await this.files.remove();
  }
}

interface Operation {
  readonly operationId: string;
  readonly responses?: Record<string, unknown>;
}

function addTo(labels: Labels, label = '', value = ''): void {
  labels.set(label, (labels.get(label) ?? new Set()).add(value));
}
