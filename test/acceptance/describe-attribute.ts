import { describe, it } from 'vitest';
import { expectRejected, expectStored } from './expectations.js';
import { invalid } from './messages.js';
import { operations } from './operations.js';
import { freshId } from './requests.js';

/** All values are JSON texts, so that 12 and 12.0 are different rows. */
export interface AttributeRows {
  type: string;
  accepted: { sent: string; stored: string; changed?: string }[];
  /** A value that differs from every stored value of a row without `changed`. */
  other: string;
  rejected: string[];
}

export const asSent = (value: string) => ({ sent: value, stored: value });

export function describeAttribute(field: string, { type, accepted, other, rejected }: AttributeRows) {
  describe.each(operations)(`the ${type} ${field} of $name`, (operation) => {
    const record = (id: string, value: string) => `{"account_id":"${id}","${field}":${value}}`;

    it.each(accepted)('accepts $sent and stores $stored', async ({ sent, stored, changed = other }) => {
      const id = freshId();
      await expectStored(operation, record(id, sent), 'created');
      await expectStored(operation, record(id, stored), 'unchanged');
      await expectStored(operation, record(id, sent), 'unchanged');
      await expectStored(operation, record(id, changed), 'updated');
    });

    it.each(rejected)('rejects %s', async (value) => {
      const id = freshId();
      await expectRejected(operation, record(id, value), { [field]: [invalid(id, field, type)] });
    });

    it('is cleared by null and kept when it is omitted', async () => {
      const id = freshId();
      await expectStored(operation, record(id, other), 'created');
      await expectStored(operation, { account_id: id }, 'unchanged');
      await expectStored(operation, record(id, other), 'unchanged');
      await expectStored(operation, record(id, 'null'), 'updated');
      await expectStored(operation, record(id, 'null'), 'unchanged');
      await expectStored(operation, record(id, other), 'updated');
    });

    it('may be null in a new account', async () => {
      const id = freshId();
      await expectStored(operation, record(id, 'null'), 'created');
      await expectStored(operation, { account_id: id }, 'unchanged');
    });
  });
}
