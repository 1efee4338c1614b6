import type { ImportResult, ImportSummary } from '@account-sync/client';
import { Problem, readProblem, signedFetch } from '../../api/call';
import { pathOf } from './code-samples';
import type { Input } from './read-input';

export interface Outcome {
  readonly isDryRun: boolean;
  readonly results: readonly ImportResult[];
  readonly summary: ImportSummary;
  /** The answer as it came. */
  readonly text: string;
}

/** Checks records, or stores them; each gets a result of its own. */
export async function sendRecords(input: Input, isDryRun: boolean): Promise<Outcome> {
  const response = await signedFetch(`/api/v2${pathOf(isDryRun)}`, {
    method: 'POST',
    headers: { 'Content-Type': input.contentType },
    body: input.body,
  }).catch(() => {
    throw new Problem(
      0,
      'The server does not answer. Repeating is safe: what is stored already stays unchanged.',
    );
  });
  if (!response.ok) throw await readProblem(response);
  const text = await response.text();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const last = lines.pop();
  if (last?.summary === undefined) throw new Problem(0, 'The answer broke off. Repeating is safe.');
  return { isDryRun, results: lines, summary: last.summary, text };
}
