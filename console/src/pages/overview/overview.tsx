import { Grid, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ErrorState } from '../../components/error-state';
import { PageHead } from '../../components/page-head';
import { useQueryParameters } from '../../components/use-url';
import { ActivityPanel } from './activity-panel';
import { ChangeFeed } from './change-feed';
import { Figures } from './figures';
import { FirstAccount } from './first-account';
import { LatestRejections } from './latest-rejections';
import { isPeriod, PERIODS, type Period } from './periods';
import { REJECTIONS, syncsOf } from './series';
import { StoreProblem, StoreState } from './store-state';
import { useActivity } from './use-activity';
import { useLiveFeed } from './use-live-feed';

/** Statistics trail the writes by about a second. */
const STATS_DELAY_MS = 1_500;

export default function Overview() {
  const [parameters, change] = useQueryParameters();
  const requested = parameters.get('period');
  const period = isPeriod(requested) ? requested : 'day';
  const feed = useLiveFeed();
  const queries = useQueryClient();
  const { arrived } = feed;
  useEffect(() => {
    if (arrived === 0) return;
    const timer = setTimeout(() => queries.invalidateQueries({ queryKey: ['stats'] }), STATS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [arrived, queries]);
  const isEmpty = feed.changes?.length === 0;
  return (
    <>
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
          <LatestRejections showsEmpty={false} />
        </Stack>
      ) : (
        <Stack gap="md">
          <LatestActivity period={period} />
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <ChangeFeed feed={feed} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <LatestRejections showsEmpty />
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </>
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
          <ActivityPanel title="Syncs" verb="synced" series={syncsOf(data?.total)} activity={data} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <ActivityPanel title="Rejections" verb="rejected" series={REJECTIONS} activity={data} />
        </Grid.Col>
      </Grid>
    </>
  );
}
