import { post } from './requests.js';

export interface Operation {
  name: string;
  path: string;
  /** The error message for an empty body. */
  emptyBodyMessage: string;
  body: (record: string) => string;
  errors: (messages: string[]) => unknown;
  result: (outcome: Outcome) => string;
}

export type Outcome = 'created' | 'updated' | 'unchanged';

export const counts = ({ created = 0, updated = 0, unchanged = 0 }) =>
  `created=${created}, updated=${updated}, unchanged=${unchanged}`;

export const single: Operation = {
  name: 'a single account',
  path: '/api/v1_1/account',
  emptyBodyMessage: 'No data available.',
  body: (record) => record,
  errors: (messages) => messages,
  result: (outcome) => outcome,
};

export const batch: Operation = {
  name: 'a batch of accounts',
  path: '/api/v1_1/accounts',
  emptyBodyMessage: 'Invalid data.',
  body: (record) => `[${record}]`,
  errors: (messages) => [messages],
  result: (outcome) => counts({ [outcome]: 1 }),
};

export const operations = [single, batch];

/** A record is an object, or JSON text where an object could not represent the exact bytes. */
export const sync = (operation: Operation, record: object | string, key?: string) =>
  post(operation.path, operation.body(typeof record === 'string' ? record : JSON.stringify(record)), key);
