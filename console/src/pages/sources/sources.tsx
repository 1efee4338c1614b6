import type { Source } from '@account-sync/client';
import { Button } from '@mantine/core';
import { useScopes } from '../../api/session';
import { useSources } from '../../api/sources';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { SavedNote } from '../../components/saved-note';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useDialog } from '../../components/use-dialog';
import { IconPlus } from '../../icons/icons.js';
import { NoSources } from './no-sources';
import { RemoveSource } from './remove-source';
import { SourceDialog } from './source-dialog';
import { SourceList } from './source-list';

type Dialog = { readonly kind: 'create' } | { readonly kind: 'edit' | 'remove'; readonly source: Source };

/** The systems that send accounts, and whether each is on time. */
export default function Sources() {
  const query = useSources({ isLive: true });
  const { mayAdmin } = useScopes();
  const { dialog, note, open, close, done } = useDialog<Dialog>();
  const actions = {
    onEdit: (source: Source) => open({ kind: 'edit', source }),
    onRemove: (source: Source) => open({ kind: 'remove', source }),
  };
  return (
    <>
      <PageHead
        title="Sources"
        description="The systems that send accounts, and whether each of them is on time."
        actions={
          mayAdmin && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open({ kind: 'create' })}>
              New source
            </Button>
          )
        }
      />
      <SavedNote>{note}</SavedNote>
      <QueryView query={query} loading={<SkeletonLines lines={4} height={64} />}>
        {(sources) => (
          <>
            {sources.length === 0 ? (
              <NoSources />
            ) : (
              <SourceList sources={lateFirst(sources)} actions={mayAdmin ? actions : undefined} />
            )}
            {(dialog?.kind === 'create' || dialog?.kind === 'edit') && (
              <SourceDialog
                source={dialog.kind === 'edit' ? dialog.source : undefined}
                sources={sources}
                onClose={close}
                onDone={done}
              />
            )}
          </>
        )}
      </QueryView>
      {dialog?.kind === 'remove' && <RemoveSource source={dialog.source} onClose={close} onDone={done} />}
    </>
  );
}

/** Keeps the order by name otherwise. */
function lateFirst(sources: readonly Source[]): Source[] {
  return sources.toSorted((a, b) => Number(b.is_late) - Number(a.is_late));
}
