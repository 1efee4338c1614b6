import type { Run, UndoState } from '@account-sync/client';
import { Figure, FigureGrid } from '../../components/figure';
import { formatNumber, plural } from '../../components/format';
import { RUN_COUNTS } from '../../components/run-counts';

/** Counts that only few runs have. They are shown if they are not 0. */
const RARE_COUNTS = [
  { name: 'restored', label: 'Restored', note: 'from the archive' },
  { name: 'skipped', label: 'Skipped', note: 'do not fit the mode' },
  { name: 'kept', label: 'Kept', note: 'values that others own' },
] as const satisfies readonly { name: keyof Run; label: string; note: string }[];

export function RunFigures({ run }: { run: Run }) {
  if (run.undo !== null) return <UndoFigures run={run} undo={run.undo} />;
  const rare = RARE_COUNTS.filter(({ name }) => run[name] > 0);
  const count = RUN_COUNTS.length + rare.length;
  return (
    <FigureGrid count={count}>
      {RUN_COUNTS.map(({ name, label }) => (
        <Figure key={name} label={label} value={run[name]} isWide={name === 'requests' && count % 2 === 1}>
          {name === 'requests' && run.failed_requests > 0 && `${formatNumber(run.failed_requests)} failed`}
        </Figure>
      ))}
      {rare.map(({ name, label, note }) => (
        <Figure key={name} label={label} value={run[name]}>
          {note}
        </Figure>
      ))}
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
