import type { Run, UndoState } from '@account-sync/client';
import { Figure, FigureGrid } from '../../components/figure';
import { formatNumber, plural } from '../../components/format';
import { RUN_COUNTS } from '../../components/run-counts';

export function RunFigures({ run }: { run: Run }) {
  if (run.undo !== null) return <UndoFigures run={run} undo={run.undo} />;
  const hasRestored = run.restored > 0;
  return (
    <FigureGrid count={hasRestored ? 6 : 5}>
      {RUN_COUNTS.map(({ name, label }) => (
        <Figure key={name} label={label} value={run[name]} isWide={name === 'requests' && !hasRestored}>
          {name === 'requests' && run.failed_requests > 0 && `${formatNumber(run.failed_requests)} failed`}
        </Figure>
      ))}
      {hasRestored && (
        <Figure label="Restored" value={run.restored}>
          from the archive
        </Figure>
      )}
    </FigureGrid>
  );
}

function UndoFigures({ run, undo }: { run: Run; undo: UndoState }) {
  const { updated, archived, restored } = run;
  return (
    <FigureGrid>
      <Figure label="Examined" value={undo.examined} isWide>
        of {plural(undo.changes, 'change')}
      </Figure>
      <Figure label="Updated" value={updated} />
      <Figure label="Archived" value={archived} />
      <Figure label="Restored" value={restored} />
      <Figure label="Conflicts" value={undo.conflicts}>
        {undo.conflicts > 0 && 'left as they were'}
      </Figure>
    </FigureGrid>
  );
}
