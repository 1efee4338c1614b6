const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal is aborted, unless the function it gives is called first. However many wait for a
 * signal, it gets one listener: Node.js warns of a leak from the eleventh on.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  let waiting = listeners.get(signal);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const each of all) each();
    });
    listeners.set(signal, all);
    waiting = all;
  }
  const callbacks = waiting.add(callback);
  return () => callbacks.delete(callback);
}
