import type { Described, OpenapiDocument } from './openapi-document.js';

/** In the form of a link's token, but never issued. */
export const UNKNOWN_LINK = `lnk_${'x'.repeat(42)}A`;

/** The first example of an operation's body, with secrets instead of the dots in examples. */
export function exampleBody(
  document: OpenapiDocument,
  { name, operation }: Described,
  { key, link = UNKNOWN_LINK }: { key: string; link?: string },
): unknown {
  if (name === 'sign-in') return { key };
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const body = example && document.valueOf(example);
  return name.endsWith('-link') && body !== undefined ? { ...(body as object), token: link } : body;
}

/** Whether an operation accepts sessions only, and no keys. */
export function needsSession({ operation: { security } }: Described): boolean {
  return security.length > 0 && security.every((one) => !('key' in one));
}
