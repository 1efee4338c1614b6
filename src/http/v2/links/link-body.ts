import Type from 'typebox';
import { hashKey } from '../../../domain/api-key.js';
import { isLinkToken } from '../../../domain/one-time-link.js';
import type { Store } from '../../../store/store.js';
import type { OneTimeLink } from '../../../store/tenants/one-time-links.js';
import { Timestamp } from '../../../wire/schemas.js';
import { httpError } from '../../errors.js';

/** The sender of a body with a token is not authenticated. */
export const MAX_LINK_BODY_BYTES = 16 * 1024;

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

/** Throws if the link has expired, or does not exist. */
export async function findLink({ directory }: Store, token: string, now: number): Promise<FoundLink> {
  const hash = hashKey(token);
  const link = isLinkToken(token) ? await directory.links.find(hash) : undefined;
  if (link === undefined || link.expiresAt <= now) throw httpError('link_not_found');
  return { link, hash };
}
