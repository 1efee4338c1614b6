const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // on, not once: a second signal must not end this process before its children have exited.
  process.on(signal, () => controller.abort(new Error('Interrupted.')));
}

/** Aborted by Ctrl-C. Long-running code checks it and throws; cleanup code then stops everything that was started. */
export const interruption = controller.signal;
