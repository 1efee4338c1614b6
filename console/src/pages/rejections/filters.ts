import type { Rejection } from '../../api/rejections';
import { type Period, type PeriodParameters, readPeriod } from '../../components/period';
import { senderId } from '../../components/sender-id';
import { useQueryParameters } from '../../components/use-url';
import { OPERATIONS } from './operations';

/** The filters as query parameters. */
export interface Filters extends PeriodParameters {
  readonly source?: string;
  /** Id of the key or person that has sent the record. */
  readonly key?: string;
  readonly operation?: string;
  readonly account?: string;
  readonly text?: string;
  /** Key of the open group. */
  readonly open?: string;
}

const NAMES = ['source', 'key', 'operation', 'account', 'text', 'open'] as const;

export type ChangeFilters = ReturnType<typeof useQueryParameters>[1];

/** Reads the filters from the URL. Invalid values are ignored. */
export function useFilters(): [Filters, ChangeFilters] {
  const [parameters, change] = useQueryParameters();
  const filters = Object.fromEntries(
    NAMES.map((name) => [name, parameters.get(name) ?? '']).filter(([name, value]) => isValid(name, value)),
  );
  return [{ ...filters, ...readPeriod(parameters) }, change];
}

function isValid(name = '', value = ''): boolean {
  return name === 'operation' ? Object.hasOwn(OPERATIONS, value) : value !== '';
}

export function filterRejections(
  rejections: readonly Rejection[],
  { source, key, operation, text = '' }: Filters,
  { from, to }: Period,
): Rejection[] {
  const search = text.trim().toLowerCase();
  return rejections.filter((rejection) => {
    const at = Date.parse(rejection.at);
    return (
      at >= from &&
      at < to &&
      (source === undefined || rejection.source === source) &&
      (key === undefined || senderId(rejection) === key) &&
      (operation === undefined || rejection.operation === operation) &&
      (search === '' || textOf(rejection).includes(search))
    );
  });
}

function textOf({ request_id, account_id, errors, problem, record }: Rejection): string {
  return JSON.stringify([request_id, account_id, errors, problem, record]).toLowerCase();
}
