import { Anchor, Group } from '@mantine/core';
import { Link } from 'wouter';
import { Figure, FigureGrid } from '../../components/figure';
import { formatNumber } from '../../components/format';
import { type Activity, accountsBefore } from './activity';
import { REJECTIONS, SYNCS } from './series';
import { Trend } from './trend';

/** Number of accounts, and the totals of the period. */
export function Figures({ activity }: { activity: Activity | undefined }) {
  return (
    <FigureGrid>
      <Figure label="Accounts" value={activity?.accounts} isWide>
        {activity !== undefined && (
          <Group gap="0 10px" component="span">
            <Trend now={activity.accounts} before={accountsBefore(activity)} />
            {activity.archived > 0 && (
              <Anchor component={Link} href="/accounts?archived=only" inherit>
                {formatNumber(activity.archived)} archived
              </Anchor>
            )}
          </Group>
        )}
      </Figure>
      {[...SYNCS, ...REJECTIONS].map(({ name, label }) => (
        <Figure key={name} label={label} value={activity?.total[name]}>
          {activity !== undefined && <Trend now={activity.total[name]} before={activity.before?.[name]} />}
        </Figure>
      ))}
    </FigureGrid>
  );
}
