/** The form in which a tenant's hosts are kept and looked up; the dot of the root at the end says nothing. */
export function canonicalHost(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}

/** A name, an IPv4 address or an IPv6 address in brackets; then a port, or none. */
const AUTHORITY = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(?::\d*)?$/i;

/** Whether a Host header is one. Empty is what a request sends to a URL that has no host (RFC 9110, 7.2). */
export function isAuthority(text: string): boolean {
  return text === '' || AUTHORITY.test(text);
}

/** Of a canonical host: a name, without scheme, port and path. */
export function isHostName(host: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(host);
}
