/** Strings, and the characters that give JSON its structure. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The text of a member of a JSON object, as it was written: parsing and serialising would round the large integers that
 * some taps have in their states. The text must be valid JSON. If the name appears twice, the last one counts, as it
 * does in `JSON.parse`.
 */
export function rawMember(text: string, name: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  let key: string | undefined;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (depth === 1) {
      if (token === ':') start = index + 1;
      else if (token === ',' || token === '}') {
        if (key === name) found = text.slice(start, index).trim();
        key = undefined;
      } else if (token.startsWith('"')) key ??= JSON.parse(token);
    }
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
  }
  return found;
}
