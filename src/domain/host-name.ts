/** The form in which hosts are stored and looked up: lower case, without the dot of the DNS root at the end. */
export function canonicalHost(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const AUTHORITY = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(?::\d*)?$/i;

/** Whether a Host header is valid. It is empty if the requested URL has no host (RFC 9110, section 7.2). */
export function isAuthority(text: string): boolean {
  return text === '' || AUTHORITY.test(text);
}

/** Whether a canonical host is a name, without scheme, port and path. */
export function isHostName(host: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(host);
}
