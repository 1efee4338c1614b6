import type { EventType } from '@account-sync/client';

/** All kinds of events, and when each is sent. */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  'account.created': 'An account was created.',
  'account.updated': 'Fields of an account changed, or it was restored from the archive.',
  'account.archived': 'An account was archived.',
  'account.deleted': 'An account was deleted.',
  'run.finished': 'A run ended, also if it was abandoned.',
  'run.undone': 'The undo of a run is complete.',
  'source.late': 'A source did not finish a run in time.',
  'source.recovered': 'A late source finished a run, or is no longer expected.',
  'rejections.burst': 'At least 100 records were rejected within five minutes.',
};

export const EVENT_TYPES = Object.keys(EVENT_MEANINGS) as readonly EventType[];
