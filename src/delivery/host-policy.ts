import { type LookupAddress, promises } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { urlProblem } from '../domain/webhook.js';

/**
 * Addresses that belong to this machine, its network or no one: a webhook must not reach services that trust it because
 * of where it comes from. From the registries of special-purpose addresses of IANA.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Of these, `SPECIAL_IPV6` is excepted. Forms that contain an IPv4 address are outside, or excepted. */
const GLOBAL_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** The addresses of a name; rejects if there are none. The operator has allowed the name, or anyone may have chosen it. */
export type Resolve = (name: string, isOperators: boolean) => Promise<readonly LookupAddress[]>;

/**
 * A name of the operator may stand in the file of hosts. For others the name servers are asked, each for some seconds:
 * `lookup` occupies a thread that the whole process needs, for as long as a name server does not answer.
 */
const resolveName: Resolve = async (name, isOperators) => {
  if (isOperators) return promises.lookup(name, { all: true });
  const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length > 0) return found;
  const codes = [four, six].map((one) => (one.status === 'rejected' ? one.reason.code : ''));
  const isUnknown = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA');
  throw Object.assign(new Error(`${name} cannot be resolved`), {
    code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN',
  });
};

/** The name resolves to an address that webhooks may not use. */
export class PrivateAddress extends Error {}

/**
 * Which hosts webhooks may have. Names are resolved when a connection is opened, and the connection uses the very
 * addresses that were checked: a name that resolves to another address a moment later gains nothing.
 */
export class HostPolicy {
  readonly #names: ReadonlySet<string>;
  readonly #allowed: BlockList;
  readonly #resolve: Resolve;

  /** `privateHosts`: names, addresses and networks that are allowed although they are private. */
  constructor(privateHosts: readonly string[] = [], resolve: Resolve = resolveName) {
    this.#names = new Set(privateHosts.map(plainName));
    this.#allowed = listOf(privateHosts.filter((host) => isIP(host.split('/')[0] ?? '') !== 0));
    this.#resolve = resolve;
  }

  /** Why a webhook cannot have this URL; undefined if it can. What its name resolves to is checked later. */
  problemOf(text: string): string | undefined {
    const problem = urlProblem(text);
    if (problem !== undefined) return problem;
    const { protocol, hostname } = new URL(text);
    const host = plainName(hostname);
    const isAddress = isIP(host) !== 0;
    const isKnown = this.#names.has(host) || (isAddress && isIn(this.#allowed, host));
    if (isKnown) return undefined;
    if (isAddress && !isPublic(host)) return `must not have a private address; ${ASK_OPERATOR}`;
    if (host === 'localhost' || host.endsWith('.localhost'))
      return `must not have the host localhost; ${ASK_OPERATOR}`;
    return protocol === 'https:' ? undefined : 'must begin with https://';
  }

  /** Resolves a name for a connection. Fails if one of its addresses is not allowed. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const isOperators = this.#names.has(plainName(hostname));
    this.#resolve(hostname, isOperators).then(
      (addresses) => {
        const [first] = addresses;
        const isAllowed = isOperators || addresses.every((one) => this.#allows(one.address));
        if (first === undefined || !isAllowed)
          return callback(new PrivateAddress(`${hostname} resolves to a private address`), '');
        if (options.all) return callback(null, [...addresses]);
        return callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };

  #allows(address: string): boolean {
    return isPublic(address) || isIn(this.#allowed, address);
  }
}

const ASK_OPERATOR = 'the operator can allow it with ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS';

/** Whether an address is one of the public internet. */
export function isPublic(address: string): boolean {
  return isIP(address) === 4
    ? !isIn(specialIpv4, address)
    : isIn(globalIpv6, address) && !isIn(specialIpv6, address);
}

const specialIpv4 = listOf(SPECIAL_IPV4);
const globalIpv6 = listOf(GLOBAL_IPV6);
const specialIpv6 = listOf(SPECIAL_IPV6);

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** In lower case, without the brackets of IPv6 and the dot at the end. */
function plainName(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
