/** What a file of refused rows has beside the rows themselves; an import of that file leaves it out again. */
export const REJECTED_LINE = 'rejected_line';
export const REJECTED_ID = 'rejected_id';
export const REJECTED_BECAUSE = 'rejected_because';

export const REJECTION_NAMES: ReadonlySet<string> = new Set([REJECTED_LINE, REJECTED_ID, REJECTED_BECAUSE]);
