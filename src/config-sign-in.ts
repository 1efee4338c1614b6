import { isIPv4 } from 'node:net';
import { parseRoleRules, type RoleRule } from './domain/role-mapping.js';
import { list, oneOf, type ReadSetting } from './setting-values.js';

const SIGN_IN_METHODS = ['password', 'key', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** The OpenID provider in which people sign in, and what its claims mean. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** How the sign-in page calls the provider. */
  readonly name: string;
  readonly scope: string;
  /** The name of the claim that `roles` refers to, or a path of names with dots. */
  readonly rolesClaim: string;
  readonly roles: readonly RoleRule[];
  /** Whether an e-mail address counts as verified without the claim `email_verified`. */
  readonly trustsEmail: boolean;
}

interface SignInSettings {
  readonly signInMethods: readonly SignInMethod[];
  readonly oidc: OidcSettings | undefined;
}

/** The ways in which people sign in. No problem repeats the client secret, because any text is valid. */
export function readSignIn(read: ReadSetting, problems: string[]): SignInSettings {
  const oidc = readOidc(read, problems);
  const methods = read<readonly SignInMethod[]>(
    'SIGN_IN',
    oidc === undefined ? ['password', 'key'] : SIGN_IN_METHODS,
    list(oneOf(SIGN_IN_METHODS)),
    `must be a list of ${SIGN_IN_METHODS.join(', ')}, separated by commas`,
  );
  if (methods.includes('oidc') && readText(read, 'ISSUER') === undefined) {
    problems.push(
      'ACCOUNT_SYNC_SIGN_IN has oidc, but ACCOUNT_SYNC_OIDC_ISSUER is not set. Set it to the address of the OpenID provider.',
    );
  }
  return { signInMethods: [...new Set(methods)], oidc: methods.includes('oidc') ? oidc : undefined };
}

function readOidc(read: ReadSetting, problems: string[]): OidcSettings | undefined {
  const issuer = read<string | undefined>(
    'OIDC_ISSUER',
    undefined,
    asIssuer,
    'must be the HTTPS address of an OpenID provider, without /.well-known/openid-configuration',
  );
  const clientId = readText(read, 'CLIENT_ID');
  const settings = {
    clientSecret: readText(read, 'CLIENT_SECRET'),
    name: readText(read, 'NAME') ?? (issuer === undefined ? '' : new URL(issuer).host),
    scope: read(
      'OIDC_SCOPE',
      'openid email profile',
      asScope,
      'must be scopes separated by spaces, openid among them',
    ),
    rolesClaim: readText(read, 'ROLES_CLAIM') ?? 'groups',
    roles: read<readonly RoleRule[]>(
      'OIDC_ROLES',
      [],
      parseRoleRules,
      'must be rules such as cs-team=default:editor, separated by commas: the value of a claim, a tenant, and viewer, editor or admin',
    ),
    trustsEmail: read(
      'OIDC_TRUST_EMAIL',
      false,
      (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
      'must be true or false',
    ),
  };
  reportIncomplete(read, problems);
  if (issuer === undefined || clientId === undefined) return undefined;
  return { issuer, clientId, ...settings };
}

function reportIncomplete(read: ReadSetting, problems: string[]): void {
  const isSet = (name: string) => readText(read, name) !== undefined;
  const useless = OF_ISSUER.find(isSet);
  if (isSet('ISSUER')) {
    if (isSet('CLIENT_ID')) return;
    problems.push(
      'ACCOUNT_SYNC_OIDC_ISSUER is set, but ACCOUNT_SYNC_OIDC_CLIENT_ID is not. Set both, or neither for no sign-in by OpenID Connect.',
    );
  } else if (useless !== undefined) {
    problems.push(
      `ACCOUNT_SYNC_OIDC_${useless} is set, but ACCOUNT_SYNC_OIDC_ISSUER is not. Set it to the address of the OpenID provider.`,
    );
  }
}

/** Settings that mean nothing without an issuer. */
const OF_ISSUER = ['CLIENT_ID', 'CLIENT_SECRET', 'NAME', 'SCOPE', 'ROLES_CLAIM', 'ROLES', 'TRUST_EMAIL'];

function readText(read: ReadSetting, name: string): string | undefined {
  return read<string | undefined>(`OIDC_${name}`, undefined, (text) => text, '');
}

/** Only on this machine may the provider be without HTTPS. */
function asIssuer(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.search !== '' || url.hash !== '') return undefined;
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSecure && !url.pathname.includes('/.well-known/') ? text : undefined;
}

/** Whether only this machine has the host of a URL. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

function asScope(text: string): string | undefined {
  const scopes = text.split(/\s+/);
  // The characters that RFC 6749 allows in a scope.
  const isValid = scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope));
  return isValid && scopes.includes('openid') ? scopes.join(' ') : undefined;
}
