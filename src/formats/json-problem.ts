/** What a JSON limit is about. */
export type JsonSubject = 'body' | 'record';

/** What can be wrong with JSON, before anything in it is read: a code, and the message with what it names. */
export const JSON_PROBLEMS = {
  not_utf8: (what: JsonSubject) => `The ${what} is not valid UTF-8.`,
  invalid_json: (what: JsonSubject, where: string) => `The ${what} is not valid JSON${where}.`,
  forbidden_key: (what: JsonSubject) => `The ${what} may not contain the key __proto__.`,
  nested_too_deep: (what: JsonSubject, limit: number) =>
    `The ${what} may not be nested deeper than ${limit} levels.`,
  too_many_keys: (what: JsonSubject, limit: number) =>
    `An object in the ${what} may not have more than ${limit} keys.`,
  too_many_containers: (what: JsonSubject, limit: number) =>
    `The ${what} may not hold more than ${limit} objects and arrays.`,
  too_many_values: (what: JsonSubject, limit: number) =>
    `The ${what} may not hold more than ${limit} values.`,
  record_too_large: (limit: number) => `A record may not be larger than ${limit} bytes.`,
  malformed_array: (problem: string) => problem,
};

export type JsonProblems = {
  readonly [Code in keyof typeof JSON_PROBLEMS]: Parameters<(typeof JSON_PROBLEMS)[Code]>;
};

export class JsonProblem<Code extends keyof JsonProblems = keyof JsonProblems> extends Error {
  readonly args: JsonProblems[Code];

  constructor(
    readonly code: Code,
    ...args: JsonProblems[Code]
  ) {
    super((JSON_PROBLEMS[code] as (...args: JsonProblems[Code]) => string)(...args));
    this.args = args;
  }
}
