/** Which origins may ask, with what, and what of the answers they see. */
export function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Neither credentials nor the header of the console: other origins have keys, and never sessions.
    allowedHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'Last-Event-ID', 'X-Request-Id'],
    exposedHeaders: [
      'Account-Sync-Result',
      'Deprecation',
      'ETag',
      'Link',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 600,
    strictPreflight: false,
  };
}
