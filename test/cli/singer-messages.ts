/** Messages in the form of well-known taps, with data of our own. */

const TIME = { time_extracted: '2026-11-18T02:15:07.104311Z' };

/** As tap-salesforce writes them: days as date-time, `anyOf` for times, a version for each full sync. */
export const CRM = {
  schema: {
    type: 'SCHEMA',
    stream: 'Account',
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        Id: { type: 'string' },
        Name: { type: ['null', 'string'] },
        ParentId: { type: ['null', 'string'] },
        NumberOfEmployees: { type: ['null', 'integer'] },
        Renewal__c: { type: ['null', 'string'], format: 'date-time' },
        Contract__c: { type: ['null', 'integer'] },
        BillingAddress: { type: ['null', 'object'], properties: { city: { type: ['null', 'string'] } } },
        SystemModstamp: {
          anyOf: [{ type: 'string', format: 'date-time' }, { type: ['string', 'null'] }],
        },
      },
    },
    key_properties: ['Id'],
    bookmark_properties: ['SystemModstamp'],
  },
  record: (record: object) => ({
    type: 'RECORD',
    stream: 'Account',
    record,
    version: 1763431200000,
    ...TIME,
  }),
  activate: { type: 'ACTIVATE_VERSION', stream: 'Account', version: 1763431200000 },
  state: (modified: string) => ({
    type: 'STATE',
    value: {
      current_stream: 'Account',
      bookmarks: { Account: { version: 1763431200000, SystemModstamp: modified } },
    },
  }),
};

/** As a tap of the Meltano SDK for a database writes them: decimals as text, a signpost in the state. */
export const BILLING = {
  schema: {
    type: 'SCHEMA',
    stream: 'billing-subscriptions',
    schema: {
      type: 'object',
      properties: {
        id: { type: ['integer'] },
        customer: { type: ['string', 'null'] },
        seats: { type: ['integer', 'null'] },
        mrr: { type: ['string', 'null'], format: 'singer.decimal' },
        updated_at: { type: ['string', 'null'], format: 'date-time' },
        _sdc_deleted_at: { type: ['string', 'null'], format: 'date-time' },
      },
    },
    key_properties: ['id'],
  },
  record: (record: object) => ({ type: 'RECORD', stream: 'billing-subscriptions', record, ...TIME }),
  state: (value: string) => ({
    type: 'STATE',
    value: {
      bookmarks: {
        'billing-subscriptions': {
          replication_key_signpost: '2026-11-18T02:15:00+00:00',
          starting_replication_value: '2026-11-01T00:00:00+00:00',
          progress_markers: { replication_key: 'updated_at', replication_key_value: value },
        },
      },
    },
  }),
};

export const MAPPING = {
  streams: {
    Account: {
      NumberOfEmployees: 'custom_Employees',
      Renewal__c: 'custom_Renewal',
      Contract__c: 'custom_Contract',
      BillingAddress: 'custom_Address',
      '*': null,
    },
    'billing-subscriptions': {
      customer: 'account_id',
      seats: 'licenses',
      mrr: 'custom_Mrr',
      id: null,
      updated_at: null,
    },
  },
};
