import type { AccountEdit } from '@account-sync/client';

/** What can be done with many accounts. */
export type Action = 'set' | 'archive' | 'restore' | 'delete';

interface ActionTexts {
  readonly title: string;
  /** Of the button, before the number of accounts. */
  readonly verb: string;
  readonly doing: string;
  readonly done: string;
  /** Of the accounts in the preview. */
  readonly count: string;
  /** What it means; shown with the preview. */
  readonly meaning?: string;
}

export const ACTIONS: Readonly<Record<Action, ActionTexts>> = {
  set: {
    title: 'Set a field',
    verb: 'Change',
    doing: 'Changing accounts',
    done: 'changed',
    count: 'Will change',
  },
  archive: {
    title: 'Archive accounts',
    verb: 'Archive',
    doing: 'Archiving accounts',
    done: 'archived',
    count: 'Will be archived',
    meaning:
      'Archived accounts are left out of lists, unless a filter shows them. They keep their values and history, and ' +
      'are restored when a source sends them again.',
  },
  restore: {
    title: 'Restore accounts',
    verb: 'Restore',
    doing: 'Restoring accounts',
    done: 'restored',
    count: 'Will be restored',
    meaning: 'Restored accounts are in lists again, with all their values.',
  },
  delete: {
    title: 'Delete accounts',
    verb: 'Delete',
    doing: 'Deleting accounts',
    done: 'deleted',
    count: 'Will be deleted',
  },
};

/** The edit of an action that has no form; null for a deletion. */
export const EDITS: Readonly<Record<Exclude<Action, 'set'>, AccountEdit | null>> = {
  archive: { archived: true },
  restore: { archived: false },
  delete: null,
};
