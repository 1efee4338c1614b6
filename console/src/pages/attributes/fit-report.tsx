import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { CheckRun } from '../../api/attribute-check';
import type { CheckTotals } from '../../api/sum-checks';
import { ErrorState } from '../../components/error-state';
import { formatNumber, plural } from '../../components/format';
import { SkeletonLines } from '../../components/skeleton-lines';
import { StatusLine } from '../../components/status-line';
import { UnfitValues } from './unfit-values';

interface FitReportProps {
  readonly check: CheckRun;
  /** Number of all accounts; undefined while loading. */
  readonly total: number | undefined;
}

/** Number of stored values that do not fit a type, with the progress of the check. */
export function FitReport({ check, total }: FitReportProps) {
  const { totals, error, retry, isRunning, stop, resume } = check;
  return (
    <Stack gap="xs">
      {totals === undefined && error === null && <SkeletonLines lines={1} height={22} />}
      <div role="status">{totals !== undefined && !isRunning && <Verdict totals={totals} />}</div>
      {totals !== undefined && isRunning && <CheckProgress totals={totals} total={total} onStop={stop} />}
      {error !== null && <ErrorState error={error} retry={retry} />}
      {totals !== undefined && !totals.isComplete && !isRunning && error === null && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {formatNumber(totals.looked_at)} of {total === undefined ? 'all' : formatNumber(total)} accounts
            checked.
          </Text>
          <Button size="compact-sm" variant="default" onClick={resume}>
            Check all
          </Button>
        </Group>
      )}
      {totals !== undefined && totals.unfit > 0 && <UnfitValues totals={totals} />}
    </Stack>
  );
}

function CheckProgress({
  totals,
  total = 0,
  onStop,
}: {
  totals: CheckTotals;
  total?: number | undefined;
  onStop: () => void;
}) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" className="numbers">
          {formatNumber(totals.unfit)} of {plural(totals.values, 'value')} would not fit so far.
          <Text size="xs" c="dimmed" span display="block">
            {formatNumber(totals.looked_at)} of {plural(total, 'account')} checked.
          </Text>
        </Text>
        <Button size="compact-sm" variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
      <Progress
        value={total === 0 ? 0 : Math.min(100, (totals.looked_at / total) * 100)}
        aria-label="Checked accounts"
      />
    </>
  );
}

function Verdict({ totals: { values, unfit, isComplete } }: { totals: CheckTotals }) {
  const suffix = isComplete ? '' : ' so far';
  if (values === 0) return <StatusLine>No account has a value{suffix}.</StatusLine>;
  if (unfit > 0) {
    return (
      <StatusLine isWarning>
        {formatNumber(unfit)} of {plural(values, 'stored value')} {unfit === 1 ? 'does' : 'do'} not fit
        {suffix}.
      </StatusLine>
    );
  }
  return (
    <StatusLine>
      {values === 1 ? 'The one stored value fits' : `All ${formatNumber(values)} stored values fit`}
      {suffix}.
    </StatusLine>
  );
}
