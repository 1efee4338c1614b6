import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';

/**
 * A place in the address as it stands there. The router decodes a part of the address, after which the ids `a/b` and
 * `a%2fb` look alike, and puts it back undecoded.
 */
export function useAddressPlace(after: string): string {
  const place = usePathname().split(`/${after}/`)[1]?.split('/')[0] ?? '';
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

type Changes = Readonly<Record<string, string | undefined>>;

/**
 * What stands behind the question mark, and how to change some of it without a step in the browser's history; the rest
 * of the address stays to the letter.
 */
export function useAddressParameters(): [URLSearchParams, (changes: Changes) => void] {
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
