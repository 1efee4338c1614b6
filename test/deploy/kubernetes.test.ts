import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Service as KubernetesService } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { BadConfig, readConfig, SETTINGS } from '../../dist/config.js';
import { freshDirectory, Service } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const manifest = readFileSync(join(ROOT, 'deploy/kubernetes.yaml'), 'utf8');
const documents = parseAllDocuments(manifest).map((document) => document.toJS());
const [deployment, service, budget] = documents as [Deployment, KubernetesService, PodDisruptionBudget];
const template = deployment.spec?.template;
const pod = template?.spec;
const [container] = pod?.containers ?? [];

/** Where the types of each kind are. */
const TYPES = { Deployment: 'apps/v1', Service: 'core/v1', PodDisruptionBudget: 'policy/v1' };

/** What the compiler says of the manifest as values of the types of Kubernetes, which exclude unknown fields. */
async function typeErrors(text: string): Promise<string> {
  const directory = await freshDirectory();
  onTestFinished(() => rm(directory, { recursive: true }));
  const values = parseAllDocuments(text).map((document, i) => {
    const value = document.toJS() as { kind: keyof typeof TYPES };
    const type = `import('${ROOT}node_modules/kubernetes-types/${TYPES[value.kind]}.js').${value.kind}`;
    return `export const value${i}: ${type} = ${JSON.stringify(value)};`;
  });
  await writeFile(join(directory, 'manifest.ts'), values.join('\n'));
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', 'manifest.ts'];
  const run = promisify(execFile)(compiler, options, { cwd: directory });
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

describe('the manifest for Kubernetes', () => {
  it('has only fields that Kubernetes has, with values of their types', async () => {
    expect(await typeErrors(manifest)).toBe('');
    const misspelt = manifest.replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem');
    expect(await typeErrors(misspelt)).toContain(`'"readOnlyRootFileSystem"' does not exist`);
  });

  it('selects its pods, and reaches them on a port that they have', () => {
    const labels = template?.metadata?.labels;
    const [constraint] = pod?.topologySpreadConstraints ?? [];
    expect(deployment.spec?.selector.matchLabels).toEqual(labels);
    expect(service.spec?.selector).toEqual(labels);
    expect(budget.spec?.selector?.matchLabels).toEqual(labels);
    expect(constraint?.labelSelector?.matchLabels).toEqual(labels);
    expect(container?.ports).toEqual([{ name: 'http', containerPort: readConfig({}).port }]);
    expect(service.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(['http']);
  });

  it('runs the image of this version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(container?.image).toBe(`account-sync:${version}`);
  });

  it('sets only settings that exist, to values that they may have', () => {
    const variables = container?.env ?? [];
    const known = [...SETTINGS, 'DATABASE_URL', 'TMPDIR'];
    expect(variables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    const environment = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    expect(() => readConfig(environment)).not.toThrow();
    const mounted = container?.volumeMounts?.map(({ mountPath }) => mountPath);
    expect(mounted).toEqual([environment.TMPDIR]);
    expect(pod?.volumes?.map(({ name }) => name)).toEqual(container?.volumeMounts?.map(({ name }) => name));
  });

  it('excludes the variables of services, of which one would be taken for a setting', () => {
    expect(() => readConfig({ ACCOUNT_SYNC_PORT: 'tcp://10.96.0.7:80' })).toThrow(BadConfig);
    expect(pod?.enableServiceLinks).toBe(false);
  });

  it('waits longer for the end of a process than it needs', () => {
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('fulfils the restricted profile of Kubernetes', () => {
    expect(pod?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('probes and scrapes paths that a server has', async () => {
    const server = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    onTestFinished(() => server.stopAndRemove());
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    const annotations = template?.metadata?.annotations ?? {};
    expect(annotations['prometheus.io/port']).toBe(String(container?.ports?.[0]?.containerPort));
    const paths = [...probes.map((probe) => probe?.httpGet?.path), annotations['prometheus.io/path']];
    expect(paths).toEqual(['/healthz', '/readyz', '/healthz', '/metrics']);
    const statuses = paths.map(async (path) => (await fetch(`${server.url}${path}`)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
  });
});
