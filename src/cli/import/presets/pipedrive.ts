import type { Preset } from './preset.js';

/** The standard fields of organizations in English. The parts of an address are named after the field `Address`. */
const FIELDS: Readonly<Record<string, string | null>> = {
  ID: 'account_id',
  Name: 'name',
  'Organization created': 'custom_External_Created_At',
  'Last activity date': 'custom_Last_Activity_On',
  Address: 'custom_Address',
  'Annual revenue': 'custom_Annual_Revenue',
  'Apartment/suite no of Address': 'custom_Street_2',
  'City/town/village/locality of Address': 'custom_City',
  'Country of Address': 'custom_Country',
  'House number of Address': 'custom_House_Number',
  Industry: 'custom_Industry',
  Label: 'custom_Labels',
  Labels: 'custom_Labels',
  'LinkedIn profile': 'custom_LinkedIn',
  'Lost deals': 'custom_Lost_Deals',
  'Number of employees': 'custom_Employees',
  'Open deals': 'custom_Open_Deals',
  Owner: 'custom_Owner',
  People: 'custom_Contacts',
  'Region of Address': 'custom_Region',
  'State/county of Address': 'custom_State',
  'Street/road name of Address': 'custom_Street',
  Website: 'custom_Website',
  'Won deals': 'custom_Won_Deals',
  'ZIP/Postal code of Address': 'custom_Postal_Code',
  'Activities to do': null,
  'Closed deals': null,
  'District/sublocality of Address': null,
  'Done activities': null,
  'Email messages count': null,
  // The same address as in `Address`, as the map service writes it.
  'Full/combined address of Address': null,
  'Latitude of Address': null,
  'Longitude of Address': null,
  'Next activity date': null,
  'Profile picture': null,
  'Total activities': null,
  'Update time': null,
  'Visible to': null,
};

const inExport = (field: string) => `Organization - ${field}`;

export const PIPEDRIVE: Preset = {
  name: 'pipedrive',
  label: 'Pipedrive',
  decoration: /^Organization - /i,
  /**
   * An export of deals or people can contain these columns of their organizations. Its other columns are unknown then.
   */
  signatures: [
    [inExport('ID'), inExport('Name')],
    ['ID', 'Name', 'Organization created'],
  ],
  columns: FIELDS,
};
