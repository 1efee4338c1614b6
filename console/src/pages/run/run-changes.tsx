import type { Run } from '@account-sync/client';
import { useChangesOfRun } from '../../api/changes';
import { ChangeRow } from '../../components/change-row';
import { ExpandButton } from '../../components/expand-button';
import { plural } from '../../components/format';
import { Panel } from '../../components/panel';
import { QueryView } from '../../components/query-view';
import { changesIn } from '../../components/run-counts';
import { ShowMore } from '../../components/show-more';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useQueryParameters } from '../../components/use-url';

/** All changes of the run, collapsed by default. */
export function RunChanges({ run }: { run: Run }) {
  const [parameters, change] = useQueryParameters();
  const isOpen = parameters.has('changes');
  const changes = changesIn(run);
  if (changes === 0) return null;
  return (
    <Panel title="Changes">
      <ExpandButton
        isOpen={isOpen}
        onToggle={() => change({ changes: isOpen ? undefined : '1' })}
        what={plural(changes, 'change')}
      />
      {isOpen && <AllChanges runId={run.id} />}
    </Panel>
  );
}

function AllChanges({ runId }: { runId: string }) {
  const query = useChangesOfRun(runId);
  return (
    <QueryView query={query} loading={<SkeletonLines lines={10} height={48} />}>
      {({ pages }) => (
        <>
          <ul className="row-list" aria-label="Changes in their order">
            {pages
              .flatMap(({ data }) => data)
              .map((change) => (
                <ChangeRow key={change.cursor} change={change} />
              ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </QueryView>
  );
}
