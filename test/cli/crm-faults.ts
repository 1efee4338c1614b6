/** A fault in a row, and the expected message. */
export interface Fault {
  readonly id: string;
  readonly because: string;
  /** Its cells, or its text if it cannot be split into cells. */
  readonly row: readonly string[] | string;
}

/** The indexes of the cells with faults. */
const [ID, NAME, PARENT, LICENSES, IS_VALID, CREATED_ON, SEGMENT, REVENUE] = [0, 1, 2, 3, 4, 5, 7, 8];

/** A fault in the values of some cells, with the sent id and the messages. */
type Spoil = (id: string) => {
  readonly cells: Readonly<Record<number, string>>;
  readonly because: string;
  readonly id?: string;
};

const SPOILS: readonly Spoil[] = [
  (id) => ({ cells: { [LICENSES]: 'many' }, because: `Account ${id}, licenses has invalid integer value.` }),
  (id) => ({
    cells: { [IS_VALID]: 'maybe' },
    because: `Account ${id}, custom_Is_Valid has invalid boolean value.`,
  }),
  (id) => ({
    cells: { [CREATED_ON]: '31.02.2021' },
    because: `Account ${id}, custom_External_Created_On has invalid date value.`,
  }),
  (id) => ({
    cells: { [PARENT]: id.toLowerCase() },
    because: "account_id and parent_account_id can't be same.",
  }),
  () => ({ id: '', cells: { [ID]: '' }, because: 'account_id does not exist.' }),
  () => ({
    cells: { [NAME]: '🚀'.repeat(192) },
    because: 'The name may not be greater than 191 characters.',
  }),
  () => ({ id: 'N/A', cells: { [ID]: ' N/A ' }, because: 'account_id blocked by system.' }),
  (id) => ({
    cells: { [LICENSES]: '1.000,5', [SEGMENT]: 'Platinum', [REVENUE]: '12,5,0' },
    because:
      `Account ${id}, licenses has invalid integer value. Account ${id}, custom_Segment has invalid choice value. ` +
      `Account ${id}, custom_Revenue has invalid decimal value.`,
  }),
];

/** The faults in order; faults of the row itself come last. */
export function faultOf(cells: readonly string[], turn: number): Fault {
  const kind = turn % (SPOILS.length + 2);
  if (kind === SPOILS.length) {
    const row = cells.slice(0, -1);
    return { id: '', because: `The row has ${row.length} cells, the header ${cells.length}.`, row };
  }
  const spoil = SPOILS[kind];
  if (spoil === undefined) {
    const because =
      'Text follows the closing quote of cell 2; quotes inside a quoted cell are written twice.';
    return { id: '', because, row: `broken-${turn};"Acme" Inc.;${';'.repeat(cells.length - 3)}` };
  }
  const sent = cells[ID]?.trim() ?? '';
  const { id = sent, cells: spoilt, because } = spoil(sent);
  return { id, because, row: cells.map((cell, at) => spoilt[at] ?? cell) };
}
