import { Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useChildCount, useChildren } from '../../api/account';
import { EmptyState } from '../../components/empty-state';
import { plural } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { IconHierarchy2 } from '../../icons/icons.js';
import { TreeBranch } from './tree-branch';
import { itemKey, TreeFocus } from './tree-focus';

/** The accounts below an account, as a tree that loads each level when it is opened. */
export function ChildTree({ id }: { id: string }) {
  const children = useChildren(id);
  const count = useChildCount(id).data;
  const [current, setCurrent] = useState<string>();
  return (
    <QueryView query={children} loading={<SkeletonLines lines={6} />}>
      {({ pages }) => {
        const first = pages[0]?.data[0]?.account_id;
        if (first === undefined) return <NoChildren />;
        return (
          <Paper p="md" maw={920}>
            <Text size="sm" c="dimmed" mb="xs" mih={21}>
              {count !== undefined &&
                `${count.is_exact ? '' : 'At least '}${plural(count.accounts, 'direct child', 'direct children')}`}
            </Text>
            <TreeFocus value={{ current: current ?? itemKey([id, first]), setCurrent }}>
              <div role="tree" aria-label="Child accounts">
                <TreeBranch path={[id]} />
              </div>
            </TreeFocus>
          </Paper>
        );
      }}
    </QueryView>
  );
}

function NoChildren() {
  return (
    <EmptyState icon={IconHierarchy2} title="No child accounts">
      No account has this account as its parent.
    </EmptyState>
  );
}
