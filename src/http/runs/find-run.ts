import { firstCharacters } from '../../domain/text.js';
import type { Run } from '../../store/runs/run.js';
import type { Store } from '../../store/store.js';
import { httpError } from '../errors.js';
import { readRunId } from './run-id.js';

/** Characters of an id that an error repeats. */
const MAX_ECHOED = 40;

/** The run with the id that a request names. Throws if the tenant has none. */
export async function findRun({ runs }: Pick<Store, 'runs'>, tenantId: number, text: string): Promise<Run> {
  const id = readRunId(text);
  const run = id === undefined ? undefined : await runs.find(tenantId, id);
  if (run === undefined) throw httpError('run_not_found', firstCharacters(text, MAX_ECHOED));
  return run;
}
