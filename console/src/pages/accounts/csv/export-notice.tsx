import { Button, CloseButton, Code, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { ErrorState } from '../../../parts/error-state';
import { formatNumber, plural } from '../../../parts/format';
import { MAX_ACCOUNTS } from './export-accounts';
import type { CsvExport } from './use-csv-export';

interface ExportNoticeProps {
  readonly csv: CsvExport;
  /** How many there will be, where that is known. */
  readonly total: number | undefined;
}

/** How far an export is, and what came of it. */
export function ExportNotice({ csv, total }: ExportNoticeProps) {
  const { isPending, isError, error, data, variables, progress, begin, dismiss } = csv;
  if (isError) return <ErrorState error={error} retry={() => variables && begin(variables)} />;
  if (!isPending && data === undefined) return null;
  return (
    <Paper p="sm" mb="md" role="status">
      <Group justify="space-between" wrap="nowrap">
        {isPending ? (
          <Running progress={progress} total={total && Math.min(total, MAX_ACCOUNTS)} />
        ) : (
          <Text size="sm">
            Saved a file with {plural(data?.accounts ?? 0, 'account')}.
            {data?.isWhole === false && <TooMany />}
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
      There are more: a browser takes no more than {formatNumber(MAX_ACCOUNTS)}. Narrow the filters, or use{' '}
      <Code>account-sync export</Code> on the command line, which takes all.
    </>
  );
}
