import { printable } from '../terminal/printable.js';

/** Quotes a name for a shell, including line feeds, and escapes terminal control characters. */
export function quoted(name: string): string {
  const lines = name.replace(/["\\$`]/g, '\\$&').split('\n');
  return `"${lines.map(printable).join('\n')}"`;
}
