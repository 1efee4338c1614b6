import type { WebhookDraft } from './webhook-draft';

/** Parts of the request body whose errors are shown at their inputs. */
const REQUIRED_FIELDS = ['url', 'description', 'events'] as const;
export const OPTIONAL_FIELDS = ['filter/sources', 'filter/fields', 'filter/values', 'batch_size'] as const;
export const FIELDS = [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS];

export interface FieldsProps {
  readonly draft: WebhookDraft;
  readonly onDraft: (draft: WebhookDraft) => void;
  /** The server's message about a part of the request body. */
  readonly problem: (field: (typeof FIELDS)[number]) => string | undefined;
}
