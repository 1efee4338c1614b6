import { describe, expect, it } from 'vitest';
import { batch, single } from './operations.js';
import { send } from './requests.js';
import { answersOf } from './sample-answers.js';

describe('the deprecation', () => {
  it.each(answersOf(batch.body))(
    'of the batch is told in the answer to: %s',
    async (_what, status, message) => {
      const { headers, ...answer } = await send(batch.path, message());
      expect(answer.status).toBe(status);
      expect(headers.get('deprecation')).toBe('@1622419200');
      expect(headers.get('link')).toBe('</api/v2/accounts/import>; rel="successor-version"');
      expect(headers.has('sunset')).toBe(false);
    },
  );

  it.each(answersOf(single.body))(
    'is absent from the answer of the single operation to: %s',
    async (_what, status, message) => {
      const { headers, ...answer } = await send(single.path, message());
      expect(answer.status).toBe(status);
      expect(headers.has('deprecation')).toBe(false);
      expect(headers.has('sunset')).toBe(false);
    },
  );
});
