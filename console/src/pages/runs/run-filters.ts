import type { Run } from '@account-sync/client';
import type { RunSelection } from '../../api/runs';
import { NO_PERIOD, type PeriodParameters, periodOf, readPeriod } from '../../components/period';
import { RUN_STATES } from '../../components/run-state';
import { useQueryParameters } from '../../components/use-url';

export interface RunFilters {
  readonly source: string | undefined;
  readonly state: Run['state'] | undefined;
  readonly period: PeriodParameters;
}

export type ChangeRunFilters = ReturnType<typeof useQueryParameters>[1];

export const NO_RUN_FILTERS = { ...NO_PERIOD, source: undefined, state: undefined };

/** Reads the filters from the URL. Invalid values are ignored. */
export function useRunFilters(): [RunFilters, ChangeRunFilters] {
  const [parameters, change] = useQueryParameters();
  const state = parameters.get('state') ?? '';
  const filters = {
    source: parameters.get('source') || undefined,
    state: Object.hasOwn(RUN_STATES, state) ? (state as Run['state']) : undefined,
    period: readPeriod(parameters),
  };
  return [filters, change];
}

export function isFiltered({ source, state, period }: RunFilters): boolean {
  return source !== undefined || state !== undefined || Object.keys(period).length > 0;
}

export function selectionOf({ source, state, period }: RunFilters): RunSelection {
  return {
    source,
    state,
    since: () => isoTime(periodOf(period, Date.now()).from),
    until: isoTime(periodOf(period, 0).to),
    period: JSON.stringify(period),
  };
}

function isoTime(at: number): string | undefined {
  return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
}
