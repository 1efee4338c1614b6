import { Figure, FigureGrid } from '../../components/figure';
import type { Activity } from './activity';
import { REJECTIONS, SYNCS } from './series';
import { Trend } from './trend';

/** Number of accounts, and the totals of the period. */
export function Figures({ activity }: { activity: Activity | undefined }) {
  return (
    <FigureGrid>
      <Figure label="Accounts" value={activity?.accounts} isWide>
        {activity !== undefined && <Trend now={activity.accounts} before={accountsBefore(activity)} />}
      </Figure>
      {[...SYNCS, ...REJECTIONS].map(({ name, label }) => (
        <Figure key={name} label={label} value={activity?.total[name]}>
          {activity !== undefined && <Trend now={activity.total[name]} before={activity.before?.[name]} />}
        </Figure>
      ))}
    </FigureGrid>
  );
}

function accountsBefore({ accounts, total: { created, deleted } }: Activity): number {
  return accounts - created + deleted;
}
