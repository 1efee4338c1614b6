/** Where the browser goes if the request names no page. */
export const CONSOLE = '/console';

/** The cookie of a sign-in has the path, and browsers keep no cookie above 4 KiB. */
const MAX_LENGTH = 2_000;

/**
 * The page of the console that a sign-in returns to; the console's first page for anything else. It is parsed as
 * browsers parse it, since `//host`, `/\host` and `/console/..//host` lead to other hosts.
 */
export function returnPath(requested: string | undefined): string {
  const base = 'http://console.invalid';
  if (requested === undefined || requested.length > MAX_LENGTH || !URL.canParse(requested, base))
    return CONSOLE;
  const { origin, pathname, search, hash } = new URL(requested, base);
  const isOfConsole = origin === base && (pathname === CONSOLE || pathname.startsWith(`${CONSOLE}/`));
  return isOfConsole ? pathname + search + hash : CONSOLE;
}
