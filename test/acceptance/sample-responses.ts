import { asJson, freshId, type Message, withKey } from './requests.js';
import { target } from './target.js';

const { plain, readOnly } = target.keys;
const key = withKey(plain);

/** The name, the status and the request of one response of each kind. */
export const sampleResponses = (body: (record: string) => string): [string, number, () => Message][] => {
  const record = () => body(`{"account_id":"${freshId()}"}`);
  return [
    ['success', 200, () => ({ headers: { ...asJson, ...key }, body: record() })],
    ['invalid record', 400, () => ({ headers: { ...asJson, ...key }, body: body('{"name":"x"}') })],
    ['empty body', 400, () => ({ headers: { ...asJson, ...key }, body: '' })],
    ['invalid JSON', 400, () => ({ headers: { ...asJson, ...key }, body: '{"a":}' })],
    ['missing key', 401, () => ({ headers: asJson, body: record() })],
    ['missing scope', 403, () => ({ headers: { ...asJson, ...withKey(readOnly) }, body: record() })],
    ['wrong media type', 415, () => ({ headers: { ...key, 'content-type': 'text/plain' }, body: record() })],
  ];
};
