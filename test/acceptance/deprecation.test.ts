import { describe, expect, it } from 'vitest';
import { batch, single } from './operations.js';
import { send } from './requests.js';
import { sampleResponses } from './sample-responses.js';

describe('the deprecation', () => {
  it.each(sampleResponses(batch.body))(
    'of the batch is announced in the response to: %s',
    async (_what, status, message) => {
      const { headers, ...response } = await send(batch.path, message());
      expect(response.status).toBe(status);
      expect(headers.get('deprecation')).toBe('@1622419200');
      expect(headers.get('link')).toBe('</api/v2/accounts/import>; rel="successor-version"');
      expect(headers.has('sunset')).toBe(false);
    },
  );

  it.each(sampleResponses(single.body))(
    'is absent from the response of the single operation to: %s',
    async (_what, status, message) => {
      const { headers, ...response } = await send(single.path, message());
      expect(response.status).toBe(status);
      expect(headers.has('deprecation')).toBe(false);
      expect(headers.has('sunset')).toBe(false);
    },
  );
});
