import { NO_PRESENTATION } from '../support/no-presentation.js';

/** An attribute as a response has it: one of type text, unless something else is given. */
export function expectedAttribute(name: string, given: object = {}) {
  return {
    name,
    type: 'text',
    choices: [],
    read_only: false,
    built_in: false,
    owner: null,
    ...NO_PRESENTATION,
    index: 'none',
    index_progress: null,
    accounts: 0,
    ...given,
  };
}
