const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const UNSAFE_IN_LINES = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Nothing that a terminal obeys, or that makes it show characters in another order than they have. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for text of several lines: whoever wrote it, file or server, it cannot steer the terminal. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** For people, in two units at most. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
