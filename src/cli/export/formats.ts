export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export function isCompressed(out: string): boolean {
  return /\.gz$/i.test(out);
}

/** The format that the name of a file asks for. */
export function formatOf(out: string): Format {
  return /\.(ndjson|jsonl)(\.gz)?$/i.test(out) ? 'ndjson' : 'csv';
}
