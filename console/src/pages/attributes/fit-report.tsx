import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { CheckSum } from '../../api/add-up-checks';
import type { CheckRun } from '../../api/attribute-check';
import { ErrorState } from '../../parts/error-state';
import { formatNumber, plural } from '../../parts/format';
import { LinesLoading } from '../../parts/lines-loading';
import { Sign } from '../../parts/sign';
import { UnfitValues } from './unfit-values';

interface FitReportProps {
  readonly check: CheckRun;
  /** Of accounts; undefined while that is not known. */
  readonly total: number | undefined;
}

/** How many stored values do not fit a type, while all accounts are gone through. */
export function FitReport({ check, total }: FitReportProps) {
  const { sum, error, retry, isRunning, stop, goOn } = check;
  return (
    <Stack gap="xs">
      {sum === undefined && error === null && <LinesLoading lines={1} height={22} />}
      <div role="status">{sum !== undefined && !isRunning && <Verdict sum={sum} />}</div>
      {sum !== undefined && isRunning && <Going sum={sum} total={total} onStop={stop} />}
      {error !== null && <ErrorState error={error} retry={retry} />}
      {sum !== undefined && !sum.isWhole && !isRunning && error === null && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {formatNumber(sum.looked_at)} of {total === undefined ? 'all' : formatNumber(total)} accounts
            looked at.
          </Text>
          <Button size="compact-sm" variant="default" onClick={goOn}>
            Look at all
          </Button>
        </Group>
      )}
      {sum !== undefined && sum.unfit > 0 && <UnfitValues sum={sum} />}
    </Stack>
  );
}

function Going({
  sum,
  total = 0,
  onStop,
}: {
  sum: CheckSum;
  total?: number | undefined;
  onStop: () => void;
}) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" className="numbers">
          {formatNumber(sum.unfit)} of {plural(sum.values, 'value')} would not fit so far.
          <Text size="xs" c="dimmed" span display="block">
            {formatNumber(sum.looked_at)} of {plural(total, 'account')} looked at.
          </Text>
        </Text>
        <Button size="compact-sm" variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
      <Progress
        value={total === 0 ? 0 : Math.min(100, (sum.looked_at / total) * 100)}
        aria-label="Accounts looked at"
      />
    </>
  );
}

function Verdict({ sum: { values, unfit, isWhole } }: { sum: CheckSum }) {
  const so = isWhole ? '' : ' so far';
  if (values === 0) return <Sign>No account holds a value{so}.</Sign>;
  if (unfit > 0) {
    return (
      <Sign isWarning>
        {formatNumber(unfit)} of {plural(values, 'stored value')} {unfit === 1 ? 'does' : 'do'} not fit{so}.
      </Sign>
    );
  }
  return (
    <Sign>
      {values === 1 ? 'The one stored value fits' : `All ${formatNumber(values)} stored values fit`}
      {so}.
    </Sign>
  );
}
