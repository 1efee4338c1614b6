const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` when the signal is aborted. The returned function cancels that. All callbacks of a signal share one
 * listener, because Node.js warns of a leak from the eleventh listener on.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  let registered = callbacksOf.get(signal);
  if (registered === undefined) {
    const callbacks = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const each of callbacks) each();
    });
    callbacksOf.set(signal, callbacks);
    registered = callbacks;
  }
  const callbacks = registered.add(callback);
  return () => callbacks.delete(callback);
}
