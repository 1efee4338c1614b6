/** Related information; a link is shown only if the key may open its page. */
export type AdviceLink = 'attributes' | 'choices' | 'blocked-ids' | 'keys' | 'rules';

/** How to fix one kind of rejection. */
export interface Advice {
  readonly matches: RegExp;
  /** What the service accepts. */
  readonly rule: string;
  /** What to change in the sending system. */
  readonly change: string;
  /** A valid value, as JSON. */
  readonly good?: string;
  readonly links?: readonly AdviceLink[];
}
