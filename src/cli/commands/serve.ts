import cluster from 'node:cluster';
import { Command } from 'commander';
import { readConfig } from '../../config.js';

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the interface over HTTP, until SIGTERM or SIGINT')
    .addHelpText(
      'after',
      `
It listens on http://127.0.0.1:8080 and keeps its data in ./data, unless settings in the environment say otherwise:
docs/configuration.md lists them.`,
    )
    .action(serve);
}

/** Loads the HTTP server only here: the other commands need none, and are quicker without. */
async function serve(): Promise<void> {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) {
    const { runWorkers } = await import('../serve/run-workers.js');
    return runWorkers(config);
  }
  const { runServer } = await import('../serve/run-server.js');
  // A worker would be kept alive by its line to the process that looks after it.
  await runServer(config).finally(() => cluster.worker?.disconnect());
}
