import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CsvReader } from '../../dist/formats/csv-reader.js';
import type { Stored } from './import-caller.js';

/** A row of an export, by column. */
type Row = (column: string) => string;
type Value = string | number | boolean;
/** What is expected of a cell; `undefined` for an empty one. */
type Read = (cell: string) => Value | undefined;

/** The exports in `exports/`, and what is expected of a row: where its fields come from, and how they are read. */
interface Export {
  readonly id: (row: Row, at: number) => string;
  readonly parent?: (row: Row) => string;
  readonly name: string;
  readonly fields: Readonly<Record<string, readonly [column: string, read: Read]>>;
}

const text: Read = (cell) => (cell === '' ? undefined : cell);
const trimmed: Read = (cell) => text(cell.trim());
const number: Read = (cell) => (cell === '' ? undefined : Number(cell.replace(/[$,]/g, '')));
const yesNo: Read = (cell) => ({ yes: true, no: false, true: true, false: false })[cell.toLowerCase()];
const oneZero: Read = (cell) => (cell === '' ? undefined : cell === '1');
/** `2015-01-31 15:45` and `2015-01-31T15:45:12.000+0000` as the API writes times. */
const time: Read = (cell) =>
  cell === ''
    ? undefined
    : `${cell.slice(0, 10)}T${cell.slice(11, 16)}:${cell.slice(17, 19).padEnd(2, '0')}.000Z`;
const usDay = (cell: string) => {
  const [month = '', day = '', year] = cell.split('/');
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};
const usDate: Read = (cell) => (cell === '' ? undefined : usDay(cell));
/** `12/1/2026 8:00 AM` */
const usTime: Read = (cell) => {
  const [date = '', clock = '', half] = cell.split(' ');
  const [hour, minute] = clock.split(':');
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  return cell === '' ? undefined : `${usDay(date)}T${String(hours).padStart(2, '0')}:${minute}:00.000Z`;
};

/** The ids of 15 characters in `salesforce-report.csv` with the three characters that Salesforce appends. */
const REPORT_IDS = [
  ...['0015e00000Kq7XaAAJ', '0015e00000Kq7XAAAZ', '0015e00000Kq7xaAAB', '0015e00000Kq7xAAAR'],
  ...['0015e00000Kq8BcAAJ', '0015e00000Kq8bCAAR', '0015e00000Kq8BdAAJ', '0015e00000Kq9dEAAR'],
  ...['0015e00000Kq9DeAAJ', '0015e00000Kq9deAAB', '0015e00000KqAaAAAV', '0015e00000KqAaaAAF'],
  ...['0015e00000KqaAaAAJ', '0015e00000KqAAaAAN', '0015e00000Kqb1CAAR', '0015e00000KqB1cAAF'],
  ...['0015e00000Kqb1cAAB', '0015e00000KqCc2AAF', '0015e00000KqcC2AAJ', '0015e00000Kqd3DAAR'],
  ...['0015e00000KqD3dAAF', '0015e00000Kqe4FAAR', '0015e00000KqE4fAAF', '0015e00000Kqf5GAAR'],
  '0015e00000KqF5gAAF',
];
const longId = (id: string) => REPORT_IDS.find((each) => each.slice(0, 15) === id) ?? '';

export const EXPORTS = {
  'salesforce-data-export': {
    id: (row) => row('Id'),
    parent: (row) => row('ParentId'),
    name: 'Name',
    fields: {
      custom_Type: ['Type', text],
      custom_Billing_Street: ['BillingStreet', text],
      custom_Billing_City: ['BillingCity', text],
      custom_Billing_State: ['BillingState', text],
      custom_Billing_Postal_Code: ['BillingPostalCode', text],
      custom_Billing_Country: ['BillingCountry', text],
      custom_Shipping_Street: ['ShippingStreet', text],
      custom_Shipping_City: ['ShippingCity', text],
      custom_Shipping_State: ['ShippingState', text],
      custom_Shipping_Postal_Code: ['ShippingPostalCode', text],
      custom_Shipping_Country: ['ShippingCountry', text],
      custom_Phone: ['Phone', text],
      custom_Account_Number: ['AccountNumber', text],
      custom_Website: ['Website', text],
      custom_Industry: ['Industry', text],
      custom_Annual_Revenue: ['AnnualRevenue', number],
      custom_Employees: ['NumberOfEmployees', number],
      custom_Ownership: ['Ownership', text],
      custom_Description: ['Description', text],
      custom_Rating: ['Rating', text],
      custom_External_Created_At: ['CreatedDate', time],
      custom_Last_Activity_On: ['LastActivityDate', text],
      custom_Source: ['AccountSource', text],
      custom_Seats: ['Seats__c', number],
      custom_Renewal_Date: ['Renewal_Date__c', text],
      custom_Active: ['Active__c', oneZero],
      custom_Tier: ['Tier__c', trimmed],
      custom_Products: ['Products__c', text],
    },
  },
  'salesforce-report': {
    id: (_row, at) => REPORT_IDS[at] ?? '',
    parent: (row) => longId(row('Parent Account ID')),
    name: 'Account Name',
    fields: {
      custom_Owner: ['Account Owner', text],
      custom_Type: ['Type', text],
      custom_Industry: ['Industry', text],
      custom_Annual_Revenue: ['Annual Revenue', number],
      custom_Employees: ['Employees', number],
      custom_Billing_Street: ['Billing Street', text],
      custom_Billing_City: ['Billing City', text],
      custom_Billing_State: ['Billing State/Province', text],
      custom_Billing_Postal_Code: ['Billing Zip/Postal Code', text],
      custom_Billing_Country: ['Billing Country', text],
      custom_Phone: ['Phone', text],
      custom_Website: ['Website', text],
      custom_External_Created_On: ['Created Date', usDate],
      custom_Last_Activity_On: ['Last Activity', usDate],
      custom_Seats: ['Seats', number],
      custom_Renewal_Date: ['Renewal Date', usDate],
      custom_Active: ['Active', yesNo],
      custom_Tier: ['Tier', trimmed],
      custom_Key_Account: ['Key Account', yesNo],
      custom_Next_Review: ['Next Review', usTime],
    },
  },
  'hubspot-companies': {
    id: (row) => row('Record ID'),
    parent: (row) => row('Parent Company'),
    name: 'Company name',
    fields: {
      custom_Domain: ['Company Domain Name', text],
      custom_Owner: ['Company owner', text],
      custom_External_Created_At: ['Create Date', time],
      custom_Phone: ['Phone Number', text],
      custom_Last_Activity_At: ['Last Activity Date', time],
      custom_Street: ['Street Address', text],
      custom_Street_2: ['Street Address 2', text],
      custom_City: ['City', text],
      custom_State: ['State/Region', text],
      custom_Postal_Code: ['Postal Code', text],
      custom_Country: ['Country/Region', text],
      custom_Industry: ['Industry', text],
      custom_Type: ['Type', text],
      custom_Annual_Revenue: ['Annual Revenue', number],
      custom_Employees: ['Number of Employees', number],
      custom_Lifecycle_Stage: ['Lifecycle Stage', text],
      custom_Target_Account: ['Target Account', yesNo],
      custom_Website: ['Website URL', text],
      custom_Time_Zone: ['Time Zone', text],
      custom_Description: ['Description', text],
      custom_Seats: ['Seats', number],
      custom_Renewal_date: ['Renewal date', text],
      custom_Active_customer: ['Active customer', yesNo],
      custom_Customer_tier: ['Customer tier', trimmed],
      custom_Products: ['Products', text],
    },
  },
  'stripe-customers': {
    id: (row) => row('id'),
    parent: (row) => row('parent_customer (metadata)'),
    name: 'Name',
    fields: {
      custom_Description: ['Description', text],
      custom_Email: ['Email', text],
      custom_External_Created_At: ['Created (UTC)', time],
      custom_Delinquent: ['Delinquent', yesNo],
      custom_Plan: ['Plan', text],
      custom_Subscription_Status: ['Status', text],
      custom_Total_Spend: ['Total Spend', number],
      custom_Payments: ['Payment Count', number],
      custom_Refunded_Volume: ['Refunded Volume', number],
      custom_Dispute_Losses: ['Dispute Losses', number],
      custom_seats: ['seats (metadata)', number],
      custom_tier: ['tier (metadata)', trimmed],
      custom_active: ['active (metadata)', yesNo],
      custom_renewal_date: ['renewal_date (metadata)', text],
    },
  },
  'pipedrive-organizations': {
    id: (row) => row('Organization - ID'),
    name: 'Organization - Name',
    fields: {
      custom_Labels: ['Organization - Labels', text],
      custom_Owner: ['Organization - Owner', text],
      custom_Contacts: ['Organization - People', number],
      custom_Open_Deals: ['Organization - Open deals', number],
      custom_Won_Deals: ['Organization - Won deals', number],
      custom_Lost_Deals: ['Organization - Lost deals', number],
      custom_Address: ['Organization - Address', text],
      custom_Street: ['Organization - Street/road name of Address', text],
      custom_House_Number: ['Organization - House number of Address', text],
      custom_City: ['Organization - City/town/village/locality of Address', text],
      custom_State: ['Organization - State/county of Address', text],
      custom_Country: ['Organization - Country of Address', text],
      custom_Postal_Code: ['Organization - ZIP/Postal code of Address', text],
      custom_Industry: ['Organization - Industry', text],
      custom_Annual_Revenue: ['Organization - Annual revenue', number],
      custom_Employees: ['Organization - Number of employees', number],
      custom_Website: ['Organization - Website', text],
      custom_External_Created_At: ['Organization - Organization created', time],
      custom_Last_Activity_On: ['Organization - Last activity date', text],
      custom_Seats: ['Organization - Seats', number],
      custom_Renewal_date: ['Organization - Renewal date', text],
      custom_Active: ['Organization - Active', yesNo],
      custom_Tier: ['Organization - Tier', trimmed],
      custom_Products: ['Organization - Products', text],
    },
  },
} as const satisfies Readonly<Record<string, Export>>;

export type ExportName = keyof typeof EXPORTS;

export function readExport(file: string): Promise<string> {
  return readFile(fileURLToPath(new URL(`exports/${file}`, import.meta.url)), 'utf8');
}

/** The accounts that an import of the export stores, in the order of their ids. */
export async function expectedAccounts(export_: ExportName): Promise<Stored[]> {
  const { id, parent, name, fields }: Export = EXPORTS[export_];
  const reader = new CsvReader(',');
  const content = await readExport(`${export_}.csv`);
  const [header = [], ...rows] = [...reader.push(content), ...reader.end()].map((row) =>
    'cells' in row ? row.cells : [],
  );
  const accounts = rows.map((cells, at) => {
    const row = (column: string) => cells[header.indexOf(column)] as string;
    const values = Object.entries(fields).map(([field, [column, read]]) => [field, read(row(column))]);
    return {
      account_id: id(row, at).toLowerCase(),
      parent_account_id: parent?.(row).toLowerCase() || null,
      name: row(name) || null,
      fields: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    };
  });
  return accounts.sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
}
