import Type from 'typebox';

const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const REQUEST_ID = text(
  "Names the request in the log, in histories and in problems: the caller's own, or a new one.",
  'job-7:1',
);

export const RETRY_AFTER = Type.Integer({
  description: 'Seconds to wait before the next try.',
  examples: [1],
});

/** Of answers to a key, where the operator has set a limit. */
export const RATE_LIMIT = {
  RateLimit: text(
    'Where a limit is set: how many requests are left (`r`), and for how many seconds (`t`).',
    '"key";r=599;t=42',
  ),
  'RateLimit-Policy': text(
    'Where a limit is set: requests (`q`) in a window of seconds (`w`).',
    '"key";q=600;w=60',
  ),
};

export const ETAG = text('Changes with the account; for `If-None-Match`.', '"kVw2mC8cZ0Jt1nQyT5b6Xg"');

export const WWW_AUTHENTICATE = text('How to send a key.', 'Bearer');

export const SET_COOKIE = text(
  'The token of the session, for the browser alone; `Secure` over HTTPS.',
  'account_sync_session=…; Path=/api/v2; HttpOnly; SameSite=Strict; Max-Age=43200; Secure',
);

export const DEPRECATION = text('Since when the operation is deprecated (RFC 9745).', '@1622419200');

export const LINK = text('What to use instead.', '</api/v2/accounts/import>; rel="successor-version"');
