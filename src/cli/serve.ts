import { Command } from 'commander';

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the interface over HTTP, until SIGTERM or SIGINT')
    .addHelpText('after', '\nSettings come from the environment; docs/configuration.md lists them.')
    .action(async () => {
      // Loaded only here: the other commands need no HTTP server, and are quicker without.
      const { runServer } = await import('./run-server.js');
      await runServer();
    });
}
