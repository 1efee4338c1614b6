import type { FeedEntry } from '../../store/reading/change-feed.js';
import type { Position } from '../../store/reading/changes-behind.js';
import { changeBody } from './account-body.js';

export function feedBody({ position, accountId, ...change }: FeedEntry) {
  return { cursor: writePosition(position), account_id: accountId, ...changeBody(change) };
}

export function writePosition({ turn, seq }: Position): string {
  return `${turn}-${seq}`;
}
