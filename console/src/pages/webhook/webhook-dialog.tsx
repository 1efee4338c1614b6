import type { Dialog, DialogProps } from './dialogs';
import { EditWebhook } from './edit-webhook';
import { RemoveWebhook } from './remove-webhook';
import { ReplayWebhook } from './replay-webhook';
import { RotateSecret } from './rotate-secret';

const DIALOGS = {
  edit: EditWebhook,
  replay: ReplayWebhook,
  rotate: RotateSecret,
  remove: RemoveWebhook,
} as const satisfies Readonly<Record<Dialog, unknown>>;

/** The open dialog of the page, if any. */
export function WebhookDialog({ dialog, ...props }: DialogProps & { dialog: Dialog | undefined }) {
  if (dialog === undefined) return null;
  const Open = DIALOGS[dialog];
  return <Open {...props} />;
}
