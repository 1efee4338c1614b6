import type { Run } from '@account-sync/client';
import { Text } from '@mantine/core';
import { useMissingAccounts } from '../../api/runs';
import { AccountLink } from '../../components/account-link';
import { ExpandButton } from '../../components/expand-button';
import { Panel } from '../../components/panel';
import { QueryView } from '../../components/query-view';
import { ShowMore } from '../../components/show-more';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useQueryParameters } from '../../components/use-url';
import css from './run.module.css';

/**
 * Accounts that the source has pushed before, and not since the run was opened. Collapsed while the run is open, because
 * at first all accounts are missing.
 */
export function MissingPanel({ run }: { run: Run }) {
  const [parameters, change] = useQueryParameters();
  const isExpanded = parameters.has('missing');
  if (run.missing === null) return null;
  const isOpen = run.state === 'open';
  const left = (run.missing.accounts ?? 0) - run.archived;
  if (!isOpen && left <= 0) return null;
  return (
    <Panel title="Missing accounts">
      {isOpen && (
        <ExpandButton
          isOpen={isExpanded}
          onToggle={() => change({ missing: isExpanded ? undefined : '1' })}
          what="accounts that are missing so far"
        />
      )}
      {(!isOpen || isExpanded) && <MissingList run={run} />}
    </Panel>
  );
}

function MissingList({ run }: { run: Run }) {
  const query = useMissingAccounts(run);
  return (
    <QueryView query={query} loading={<SkeletonLines lines={5} />}>
      {({ pages }) => {
        const accounts = pages.flatMap(({ data }) => data);
        if (accounts.length === 0) {
          return (
            <Text size="sm" c="dimmed" mt={4}>
              {noneText(run)}
            </Text>
          );
        }
        return (
          <>
            <ul className="row-list" aria-label="Missing accounts">
              {accounts.map(({ account_id, name }) => (
                <li key={account_id} className={css.columns}>
                  <Text size="sm">
                    <AccountLink id={account_id} />
                  </Text>
                  <Text size="sm" className="breakable">
                    {name}
                  </Text>
                </li>
              ))}
            </ul>
            <Text size="xs" c="dimmed" mt="sm">
              This source has pushed them before, and not since the run was opened.
            </Text>
            <ShowMore query={query} />
          </>
        );
      }}
    </QueryView>
  );
}

/** The count of a run that has ended stays, whatever happens to the accounts later. */
function noneText({ state }: Run): string {
  return state === 'open'
    ? 'No account is missing so far.'
    : 'None is missing any more: all were pushed, archived or deleted since.';
}
