import { InvalidArgumentError } from 'commander';

/** Reads a share such as `25`, `25%` or `0.5%`. */
export function readPercent(text: string): number {
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError('Give a share from 0 to 100, such as 25 or 25%.');
}
