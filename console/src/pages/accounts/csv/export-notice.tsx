import { Button, CloseButton, Code, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { ErrorState } from '../../../components/error-state';
import { formatNumber, plural } from '../../../components/format';
import { MAX_ACCOUNTS } from './export-accounts';
import type { CsvExport } from './use-csv-export';

interface ExportNoticeProps {
  readonly csv: CsvExport;
  /** Number of accounts that match, if known. */
  readonly total: number | undefined;
}

/** Progress and result of an export. */
export function ExportNotice({ csv, total }: ExportNoticeProps) {
  const { isPending, isError, error, data, variables, progress, begin, dismiss } = csv;
  if (isError) return <ErrorState error={error} retry={() => variables && begin(variables)} />;
  if (!isPending && data === undefined) return null;
  const selection = variables?.selection;
  const expected = selection !== undefined && 'ids' in selection ? selection.ids.length : total;
  return (
    <Paper p="sm" mb="md" role="status">
      <Group justify="space-between" wrap="nowrap">
        {isPending ? (
          <Running progress={progress} total={expected && Math.min(expected, MAX_ACCOUNTS)} />
        ) : (
          <Text size="sm">
            Saved a file with {plural(data?.accounts ?? 0, 'account')}.
            {data?.isComplete === false && <TooMany />}
          </Text>
        )}
        {isPending ? (
          <Button variant="default" size="xs" onClick={dismiss}>
            Cancel
          </Button>
        ) : (
          <CloseButton aria-label="Close the notice" onClick={dismiss} />
        )}
      </Group>
    </Paper>
  );
}

function Running({ progress, total }: { progress: number; total: number | undefined }) {
  const share = total === undefined ? 100 : Math.min((progress / Math.max(total, 1)) * 100, 100);
  return (
    <Stack gap={6} flex={1}>
      <Text size="sm" className="numbers">
        Exporting: {formatNumber(progress)} {total === undefined ? 'accounts' : `of ${formatNumber(total)}`}
      </Text>
      <Progress value={share} animated={total === undefined} size="sm" aria-label="Progress of the export" />
    </Stack>
  );
}

function TooMany() {
  return (
    <>
      {' '}
      More accounts match, but the console exports at most {formatNumber(MAX_ACCOUNTS)}. Add filters, or use{' '}
      <Code>account-sync export</Code> on the command line, which has no limit.
    </>
  );
}
