import Type from 'typebox';

/** Names the run to which a request belongs. Node writes header names in lower case. */
export const RUN_HEADER = 'account-sync-run';

export const RunHeader = Type.Object({
  'Account-Sync-Run': Type.Optional(
    Type.String({
      description:
        'The id of an open run of the source of the key. Default: the run that began with the first request of the ' +
        'source after some minutes without one.',
      examples: ['12'],
    }),
  ),
});
