import cluster from 'node:cluster';
import { Command } from 'commander';
import { readConfig } from '../../config.js';

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the HTTP server until SIGTERM or SIGINT')
    .addHelpText(
      'after',
      `
By default it listens on http://127.0.0.1:8080 and stores its data in ./data.
Environment variables change this: docs/configuration.md lists them.`,
    )
    .action(serve);
}

/** Imports the HTTP server here, so that the other commands start faster. */
async function serve(): Promise<void> {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) {
    const { runWorkers } = await import('../serve/run-workers.js');
    return runWorkers(config);
  }
  const { runServer } = await import('../serve/run-server.js');
  // The channel to the primary process would keep a worker alive.
  await runServer(config).finally(() => cluster.worker?.disconnect());
}
