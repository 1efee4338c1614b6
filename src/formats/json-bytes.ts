export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;

export function isWhite(byte: number | undefined): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === 0x09;
}
