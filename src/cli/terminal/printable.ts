const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const UNSAFE_IN_LINES = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Escapes control characters and characters that change the text direction, so that text cannot control a terminal. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** Like `printable`, but keeps line feeds. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A readable duration with at most two units. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A value as JSON, cut if it is long; a dash for none. */
export function shownJson(json: unknown): string {
  const text = json === null ? '–' : JSON.stringify(json);
  return printable(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
