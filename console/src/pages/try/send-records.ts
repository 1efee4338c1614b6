import type { ImportResult, ImportSummary } from '@account-sync/client';
import { ApiError, readApiError, signedFetch } from '../../api/call';
import { pathOf } from './code-samples';
import type { Input } from './read-input';

export interface Outcome {
  readonly isDryRun: boolean;
  readonly results: readonly ImportResult[];
  readonly summary: ImportSummary;
  /** The raw response. */
  readonly text: string;
}

/** Validates or stores records, with one result per record. */
export async function sendRecords(input: Input, isDryRun: boolean): Promise<Outcome> {
  const response = await signedFetch(`/api/v2${pathOf(isDryRun)}`, {
    method: 'POST',
    headers: { 'Content-Type': input.contentType },
    body: input.body,
  }).catch(() => {
    throw new ApiError(
      0,
      'The server does not respond. You can safely send the records again: records that are already stored do not change.',
    );
  });
  if (!response.ok) throw await readApiError(response);
  const text = await response.text();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const last = lines.pop();
  if (last?.summary === undefined)
    throw new ApiError(0, 'The response was incomplete. You can safely send the records again.');
  return { isDryRun, results: lines, summary: last.summary, text };
}
