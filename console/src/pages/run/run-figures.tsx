import type { Run } from '@account-sync/client';
import { Figure, FigureGrid } from '../../components/figure';
import { formatNumber } from '../../components/format';
import { RUN_COUNTS } from '../../components/run-counts';

export function RunFigures({ run }: { run: Run }) {
  return (
    <FigureGrid>
      {RUN_COUNTS.map(({ name, label }) => (
        <Figure key={name} label={label} value={run[name]} isWide={name === 'requests'}>
          {name === 'requests' && run.failed_requests > 0 && `${formatNumber(run.failed_requests)} failed`}
        </Figure>
      ))}
    </FigureGrid>
  );
}
