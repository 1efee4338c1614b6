import Type from 'typebox';
import { hashKey } from '../../../domain/api-key.js';
import { isLinkToken } from '../../../domain/one-time-link.js';
import type { OneTimeLink } from '../../../store/tenants/one-time-links.js';
import { Timestamp } from '../../../wire/schemas.js';
import { httpError } from '../../errors.js';
import type { V2Parts } from '../operation.js';

export const Token = Type.String({ description: 'What follows the `#` in the link.' });

export const IssuedLinkSchema = Type.Object(
  {
    url: Type.String({ description: 'The link, which is shown only in this response.' }),
    expires_at: Timestamp,
  },
  {
    title: 'IssuedLink',
    examples: [
      { url: 'https://accounts.example.com/console/welcome#lnk_…', expires_at: '2027-02-01T12:00:00.000Z' },
    ],
  },
);

export interface FoundLink {
  readonly link: OneTimeLink;
  readonly hash: string;
}

/** Throws if the link has expired, does not exist, or is of another tenant than the host. */
export async function findLink(
  { store, principals, clock }: V2Parts,
  token: string,
  host: string,
): Promise<FoundLink> {
  const hash = hashKey(token);
  const link = isLinkToken(token) ? await store.directory.links.find(hash) : undefined;
  if (link === undefined || link.expiresAt <= clock()) throw httpError('link_not_found');
  const tenantOfHost = await principals.tenantOfHost(host);
  if (tenantOfHost !== undefined && link.tenantId !== null && link.tenantId !== tenantOfHost)
    throw httpError('link_not_found');
  return { link, hash };
}
