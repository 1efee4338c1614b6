const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Every time, not once: a second one must not end this process before its children are gone.
  process.on(signal, () => controller.abort(new Error('Interrupted.')));
}

/** Aborted by Ctrl-C: whoever runs for longer looks at it, and everything started is stopped on the way out. */
export const interruption = controller.signal;
