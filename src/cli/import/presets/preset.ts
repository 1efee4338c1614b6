export type PresetName = 'salesforce' | 'hubspot' | 'stripe' | 'pipedrive';

/** What a system's exports call the fields of an account. */
export interface Preset {
  readonly name: PresetName;
  /** The name for people. */
  readonly label: string;
  /** An export is recognised if its header has all columns of one of these lists. */
  readonly signatures: readonly (readonly string[])[];
  /**
   * The field of each column. A field that starts with custom_ is sent only if the server has declared it, or is to
   * (`--declare`). `null`: a column that describes the record in that system only, such as internal ids of owners,
   * system time stamps and paths of photos. It is never sent.
   */
  readonly columns: Readonly<Record<string, string | null>>;
  /** What the system adds to the names of some columns, and what is no part of the field's name. */
  readonly decoration?: RegExp;
  /** How ids of this system are made comparable, for account_id and parent_account_id. */
  readonly ids?: 'salesforce';
}
