import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';

/**
 * The path segment after `/${after}/`, decoded exactly once. The router decodes paths in its own way, after which the
 * ids `a/b` and `a%2fb` cannot be distinguished.
 */
export function useRawPathSegment(after: string): string {
  const segment = usePathname().split(`/${after}/`)[1]?.split('/')[0] ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

type Changes = Readonly<Record<string, string | undefined>>;

/**
 * The query parameters, and a function that changes some of them. It replaces the history entry, and leaves the path
 * as it was written.
 */
export function useQueryParameters(): [URLSearchParams, (changes: Changes) => void] {
  const parameters = new URLSearchParams(useSearch());
  const change = (changes: Changes) => {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    navigate(text === '' ? location.pathname : `?${text}`, { replace: true });
  };
  return [parameters, change];
}
