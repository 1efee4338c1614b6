import type { Webhook } from '@account-sync/client';

export type Dialog = 'edit' | 'replay' | 'rotate' | 'remove';

export interface DialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  /** Receives a confirmation. */
  readonly onDone: (note: string) => void;
}
