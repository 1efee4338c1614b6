import { Paper, Text } from '@mantine/core';
import { IconHierarchy2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useChildCount, useChildren } from '../../api/account';
import { EmptyState } from '../../parts/empty-state';
import { plural } from '../../parts/format';
import { LinesLoading } from '../../parts/lines-loading';
import { QueryView } from '../../parts/query-view';
import { TreeBranch } from './tree-branch';
import { itemKey, TreeFocus } from './tree-focus';

/** What hangs below an account, opened step by step. */
export function Below({ id }: { id: string }) {
  const children = useChildren(id);
  const count = useChildCount(id).data;
  const [current, setCurrent] = useState<string>();
  return (
    <QueryView query={children} loading={<LinesLoading lines={6} />}>
      {({ pages }) => {
        const first = pages[0]?.data[0]?.account_id;
        if (first === undefined) return <NothingBelow />;
        return (
          <Paper p="md" maw={920}>
            <Text size="sm" c="dimmed" mb="xs" mih={21}>
              {count !== undefined &&
                `${count.is_exact ? '' : 'More than '}${plural(count.accounts, 'account')} directly below`}
            </Text>
            <TreeFocus value={{ current: current ?? itemKey([id, first]), setCurrent }}>
              <div role="tree" aria-label="Accounts below">
                <TreeBranch path={[id]} />
              </div>
            </TreeFocus>
          </Paper>
        );
      }}
    </QueryView>
  );
}

function NothingBelow() {
  return (
    <EmptyState icon={IconHierarchy2} title="Nothing below">
      No account names this one as its parent.
    </EmptyState>
  );
}
