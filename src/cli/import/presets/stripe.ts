import type { Preset } from './preset.js';

/** Data of cards stays in Stripe. */
const CARD = [
  'Card Address City',
  'Card Address Country',
  'Card Address Line1',
  'Card Address Line2',
  'Card Address State',
  'Card Address Zip',
  'Card AVS Line1 Status',
  'Card AVS Zip Status',
  'Card Brand',
  'Card CVC Status',
  'Card Exp Month',
  'Card Exp Year',
  'Card Fingerprint',
  'Card Funding',
  'Card ID',
  'Card Issue Country',
  'Card Last4',
  'Card Name',
  'Card Tokenization Method',
  'Default Source',
] as const;

export const STRIPE: Preset = {
  name: 'stripe',
  label: 'Stripe',
  decoration: / \(metadata\)$/i,
  /** An export of payments can also have `id`, `Description` and `Created (UTC)`. */
  signatures: [
    ['id', 'Created (UTC)', 'Delinquent'],
    ['id', 'Created (UTC)', 'Total Spend'],
  ],
  columns: {
    id: 'account_id',
    Name: 'name',
    'Created (UTC)': 'custom_External_Created_At',
    'Account Balance': 'custom_Account_Balance',
    'Average Order': 'custom_Average_Order',
    'Business Vat ID': 'custom_VAT_ID',
    'Cancel At Period End': 'custom_Cancel_At_Period_End',
    Currency: 'custom_Currency',
    Delinquent: 'custom_Delinquent',
    Description: 'custom_Description',
    'Dispute Count': 'custom_Disputes',
    'Dispute Losses': 'custom_Dispute_Losses',
    Email: 'custom_Email',
    'Payment Count': 'custom_Payments',
    Plan: 'custom_Plan',
    'Refund Count': 'custom_Refunds',
    'Refunded Volume': 'custom_Refunded_Volume',
    Status: 'custom_Subscription_Status',
    'Total Spend': 'custom_Total_Spend',
    ...Object.fromEntries(CARD.map((name) => [name, null])),
  },
};
