import type { OidcSettings } from '../../config.js';
import { OidcProblem } from '../../http/auth/oidc-problem.js';
import { discover, PROVIDER_TIMEOUT_MS } from '../../http/auth/oidc-provider.js';
import type { Store } from '../../store/store.js';
import type { Finding } from './finding.js';

const CHECK = 'OpenID provider';

/** Whether the provider can be found, as a server does it at the first sign-in. */
export async function examineOidc(settings: OidcSettings): Promise<Finding> {
  const { issuer } = settings;
  try {
    await discover(settings, PROVIDER_TIMEOUT_MS);
    return { check: CHECK, state: 'ok', found: `${issuer} answers` };
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error;
    return {
      check: CHECK,
      state: 'failed',
      found: `${issuer} cannot be used: ${error.reason}`,
      advice:
        'Correct ACCOUNT_SYNC_OIDC_ISSUER, or let this machine reach the provider. Nobody can sign in there.',
    };
  }
}

/** The tenants that the setting of roles names, and that do not exist. */
export async function examineMappedTenants(settings: OidcSettings, { directory }: Store): Promise<Finding[]> {
  const names = new Set(await directory.tenantNames());
  const missing = new Set(settings.roles.map(({ tenant }) => tenant).filter((name) => !names.has(name)));
  return [...missing].map((name) => ({
    check: CHECK,
    state: 'warning',
    found: `ACCOUNT_SYNC_OIDC_ROLES gives roles in the tenant ${name}, which does not exist`,
    advice: `Create it with: account-sync tenant create ${name}`,
  }));
}
