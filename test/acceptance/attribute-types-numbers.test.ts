import { type AttributeRows, asSent, describeAttribute } from './describe-attribute.js';

const notNumbers = [
  '""',
  '" "',
  '"12abc"',
  '"twelve"',
  '"1,000"',
  '"1 000"',
  '"1_000"',
  '"--3"',
  '"- 3"',
  '"+"',
  '"0x10"',
  '"NaN"',
  '"Infinity"',
  '"null"',
  '"١٢"',
  'true',
  'false',
  '[]',
  '[12]',
  '{}',
  '1e400',
  '-1e400',
];

const integer: AttributeRows = {
  type: 'integer',
  accepted: [
    asSent('12'),
    asSent('0'),
    asSent('-3'),
    asSent('9007199254740991'),
    asSent('-9007199254740991'),
    { sent: '12.0', stored: '12' },
    { sent: '1e3', stored: '1000' },
    { sent: '-0', stored: '0' },
    { sent: '"12"', stored: '12' },
    { sent: '" -3 "', stored: '-3' },
    { sent: '"\\t12\\n"', stored: '12' },
    { sent: '"+7"', stored: '7' },
    { sent: '"007"', stored: '7' },
    { sent: '"-0"', stored: '0' },
    { sent: '"12.0"', stored: '12' },
    { sent: '"-9007199254740991"', stored: '-9007199254740991' },
  ],
  other: '77',
  rejected: [
    ...notNumbers,
    '12.5',
    '"12.5"',
    '"12."',
    '".0"',
    '"1e3"',
    '9007199254740992',
    '-9007199254740992',
    '"9007199254740992"',
    '"-9007199254740992"',
    '"123456789012345678901234567890"',
  ],
};

const decimal: AttributeRows = {
  type: 'decimal',
  accepted: [
    asSent('12.5'),
    asSent('0'),
    asSent('-1.25'),
    asSent('0.1'),
    asSent('1e-7'),
    { sent: '1e3', stored: '1000' },
    { sent: '12.50', stored: '12.5' },
    { sent: '"12.50"', stored: '12.5' },
    { sent: '"-3"', stored: '-3' },
    { sent: '"+1.5"', stored: '1.5' },
    { sent: '" 3.5\\n"', stored: '3.5' },
  ],
  other: '77.5',
  rejected: [...notNumbers, '"12.5.1"', '"1.000,50"', '"12,5"', `"${'9'.repeat(400)}"`],
};

describeAttribute('licenses', integer);
describeAttribute('custom_Integer', integer);
describeAttribute('custom_Decimal', decimal);
