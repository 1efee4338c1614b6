import { Box, Grid, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ErrorState } from '../../parts/error-state';
import { PageHead } from '../../parts/page-head';
import { useAddressParameters } from '../../parts/use-address';
import { ActivityPanel } from './activity-panel';
import { ChangeFeed } from './change-feed';
import { Figures } from './figures';
import { FirstAccount } from './first-account';
import { LatestRefusals } from './latest-refusals';
import css from './overview.module.css';
import { isPeriod, PERIODS, type Period } from './periods';
import { REFUSALS, SYNCS } from './series';
import { StoreProblem, StoreState } from './store-state';
import { useActivity } from './use-activity';
import { useLiveFeed } from './use-live-feed';

/** Counts follow the writes by about a second. */
const COUNTED_AFTER_MS = 1_500;

export default function Overview() {
  const [parameters, change] = useAddressParameters();
  const asked = parameters.get('period');
  const period = isPeriod(asked) ? asked : 'day';
  const feed = useLiveFeed();
  const queries = useQueryClient();
  const { arrived } = feed;
  useEffect(() => {
    if (arrived === 0) return;
    const timer = setTimeout(() => queries.invalidateQueries({ queryKey: ['stats'] }), COUNTED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [arrived, queries]);
  const isEmpty = feed.changes?.length === 0;
  return (
    <Box className={css.colours}>
      <PageHead
        title="Overview"
        description={<StoreState />}
        actions={
          !isEmpty && (
            <SegmentedControl
              aria-label="Period"
              data={Object.entries(PERIODS).map(([value, { label }]) => ({ value, label }))}
              value={period}
              onChange={(chosen) => change({ period: chosen })}
            />
          )
        }
      />
      <StoreProblem />
      {isEmpty ? (
        <Stack gap="md">
          <FirstAccount />
          <LatestRefusals saysNone={false} />
        </Stack>
      ) : (
        <Stack gap="md">
          <LatestActivity period={period} />
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <ChangeFeed feed={feed} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <LatestRefusals saysNone />
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Box>
  );
}

function LatestActivity({ period }: { period: Period }) {
  const { data, error, refetch } = useActivity(period);
  if (data === undefined && error !== null) return <ErrorState error={error} retry={() => refetch()} />;
  const { name, before } = PERIODS[data?.period ?? period];
  return (
    <>
      <Figures activity={data} />
      <Text size="xs" c="dimmed" mt={-4} mih={18}>
        {data?.before === undefined ? `In ${name}.` : `In ${name}, compared with ${before}.`}
      </Text>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <ActivityPanel title="Syncs" verb="synced" series={SYNCS} activity={data} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <ActivityPanel title="Refusals" verb="refused" series={REFUSALS} activity={data} />
        </Grid.Col>
      </Grid>
    </>
  );
}
