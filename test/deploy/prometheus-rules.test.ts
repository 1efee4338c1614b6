import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const run = promisify(execFile);

/** Part of Prometheus; it has no npm package. */
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

it.skipIf(!hasPromtool)('the alerts fire when they should, and only then (needs promtool)', async () => {
  const { stdout } = await run('promtool', ['test', 'rules', pathOf('prometheus-rules.promtool.yaml')]);
  expect(stdout).toContain('SUCCESS');
});
