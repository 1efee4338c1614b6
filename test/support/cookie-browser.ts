interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
}

/** A browser without pages: it keeps cookies, and follows redirects. Like others, it does not tell ports apart. */
export class CookieBrowser {
  #cookies: Cookie[] = [];

  /** The cookies that it sends to an address. */
  cookiesFor(url: URL): string {
    return this.#cookies
      .filter(({ host, path }) => host === url.hostname && isBelow(url.pathname, path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** One request; a redirect is not followed. */
  async get(address: string | URL): Promise<Response> {
    const url = new URL(address);
    const headers = { cookie: this.cookiesFor(url) };
    const response = await fetch(url, { headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line, url.hostname);
    return response;
  }

  /** Follows redirects from an address, up to the first that leads to `path`, which is not requested. */
  async follow(address: string | URL, path: string): Promise<URL> {
    let url = new URL(address);
    for (let redirects = 0; redirects < 20; redirects += 1) {
      const response = await this.get(url);
      const location = response.headers.get('location');
      if (location === null) {
        throw new Error(`${url} answered ${response.status} and no redirect: ${await response.text()}`);
      }
      await response.body?.cancel();
      url = new URL(location, url);
      if (url.pathname === path) return url;
    }
    throw new Error(`Too many redirects, the last to ${url}`);
  }

  #keep(line: string, host: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const of = (attribute: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${attribute}=`))?.split('=')[1];
    const path = of('path') ?? '/';
    this.#cookies = this.#cookies.filter((one) => one.name !== name || one.path !== path);
    const isDeleted = of('max-age') === '0' || Date.parse(of('expires') ?? '') < Date.now();
    if (!isDeleted) this.#cookies.push({ name, value, host, path });
  }
}

function isBelow(pathname: string, path: string): boolean {
  return path === '/' || pathname === path || pathname.startsWith(`${path}/`);
}
