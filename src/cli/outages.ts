import type { AccountSyncOptions } from '@account-sync/client';

/** For `connect`: tells of a server that does not answer, once when that begins and once when it is over. */
export function outages(
  say: (line: string) => void,
): Required<Pick<AccountSyncOptions, 'onRetry' | 'fetch'>> {
  let isOut = false;
  return {
    onRetry: ({ error }) => {
      if (!isOut) say(`${error.message} Trying again.`);
      isOut = true;
    },
    // The client itself tells only of failures.
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (isOut && response.ok) {
        isOut = false;
        say('The server answers again.');
      }
      return response;
    },
  };
}
