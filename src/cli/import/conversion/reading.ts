import type { Json } from '@account-sync/client';

export type DateOrder = 'dmy' | 'mdy';

/** One way to understand the texts of a column: `mdy` reads `1/31/2015` as 2015-01-31. */
export interface Reading {
  /** The name for `--convert`. */
  readonly name: string;
  /** How the plan describes it. */
  readonly label: string;
  /** The value to send; `undefined` if the text has another form. The text has no blanks around it. */
  readonly read: (text: string) => Json | undefined;
  /** Used only if `--convert` names it, because it drops a part of the value. */
  readonly isExplicit?: boolean;
  /** The order of day and month that it takes for granted. */
  readonly order?: DateOrder;
}
