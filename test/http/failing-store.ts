import type { Store } from '../../dist/store/store.js';

/** How a function of the store fails; undefined if it works. */
export type Failure = (place: string) => (() => unknown) | undefined;

/** A proxy of the store in which every function, at any depth, can be made to fail. */
export function failingStore(store: Store, failureAt: Failure): Store {
  return wrap(store, '', failureAt);
}

function wrap<T extends object>(part: T, place: string, failureAt: Failure): T {
  return new Proxy(part, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      const here = `${place}${String(name)}`;
      if (typeof value === 'function') {
        // Fails later, with the first bytes.
        if (here === 'beginImport') {
          return (...args: unknown[]) => {
            const { push, close } = value.apply(target, args);
            return { push: failureAt(here) ?? push, close };
          };
        }
        return (...args: unknown[]) => (failureAt(here) ?? (() => value.apply(target, args)))();
      }
      return typeof value === 'object' && value !== null ? wrap(value, `${here}.`, failureAt) : value;
    },
  });
}
