import { isLongerThan } from './text.js';

/** How people see an attribute, beside its name. Null is not set. Records are checked without it. */
export interface Presentation {
  readonly label: string | null;
  readonly description: string | null;
  /** Shown after values: `seats`. */
  readonly unit: string | null;
  /** The place within the group. */
  readonly position: number | null;
  readonly group: string | null;
}

export const NO_PRESENTATION: Presentation = {
  label: null,
  description: null,
  unit: null,
  position: null,
  group: null,
};

export const MAX_POSITION = 9_999;

/** The longest text of each part, in characters. */
const LENGTHS = { label: 100, description: 500, unit: 20, group: 60 } as const;

export type PresentationText = keyof typeof LENGTHS;

export function textRule(part: PresentationText): string {
  return `1 to ${LENGTHS[part]} characters, without control characters, and without white space at the ends`;
}

/** Why this text cannot be that part of a presentation, or `undefined`. */
export function textProblem(part: PresentationText, text: string): string | undefined {
  if (isLongerThan(text, LENGTHS[part])) return `must have at most ${LENGTHS[part]} characters`;
  const isValid =
    text !== '' &&
    text === text.trim() &&
    // `Cs` is half a surrogate pair, which databases cannot store. The others change the direction of all that follows.
    !/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(text) &&
    // Something has to be visible.
    /[^\p{Cf}\p{Z}]/u.test(text);
  return isValid ? undefined : `must have ${textRule(part)}`;
}
