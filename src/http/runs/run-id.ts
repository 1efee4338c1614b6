/** The form of a run's id. */
export const RUN_ID = /^\d{1,15}$/;

/** Undefined if the text cannot be the id of a run. */
export function readRunId(text: string): number | undefined {
  return RUN_ID.test(text) ? Number(text) : undefined;
}
