/** The form in which a tenant's hosts are kept and looked up; the dot of the root at the end says nothing. */
export function canonicalHost(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}

/** Of a canonical host: a name, without scheme, port and path. */
export function isHostName(host: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(host);
}
