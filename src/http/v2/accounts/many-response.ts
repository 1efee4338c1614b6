import Type from 'typebox';
import { RUN } from '../../../wire/run-body.js';
import type { ResponseDescription } from '../../openapi/description.js';
import { SHOWN } from './many-accounts.js';

const COUNTS = {
  run_id: RUN.id,
  matched: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  deleted: 0,
  unchanged: 0,
  rejected: 0,
};

/** Describes the response, with an example in which the accounts have one outcome. */
export function manyResponse(outcome: 'updated' | 'deleted'): ResponseDescription {
  const counts = { ...COUNTS, run_id: outcome === 'deleted' ? null : RUN.id };
  const done = { ...counts, matched: 200, [outcome]: 199, rejected: 1 };
  const example = [
    { progress: counts },
    { rejected: { account_id: 'acme', reason: 'changed', errors: {} } },
    { progress: done },
    { summary: { ...done, kept: 0, dry_run: false, is_complete: true, code: null, problem: null } },
  ];
  return {
    description:
      'A line with the progress at the start and after each step, one per account that is rejected, in a dry run one ' +
      `for each of the first ${SHOWN} accounts that would change, and a summary as the last line.`,
    content: {
      'application/x-ndjson': {
        schema: Type.String({ description: 'One JSON object per line.' }),
        examples: { ok: { value: example.map((value) => `${JSON.stringify(value)}\n`).join('') } },
      },
    },
  };
}
