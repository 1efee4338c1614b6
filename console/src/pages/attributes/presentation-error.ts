/** The same limits as on the server, in characters. */
const LENGTHS = { label: 100, description: 500, unit: 20, group: 60 } as const;

/** The server's message about a text of the presentation, or only that it is too long: the message has all rules. */
export function presentationError(
  message: string | undefined,
  part: keyof typeof LENGTHS,
  text: string,
): string | undefined {
  const length = [...text.trim()].length;
  const limit = LENGTHS[part];
  if (message === undefined || length <= limit) return message;
  return `Too long: it has ${length} characters, and can have ${limit}.`;
}
