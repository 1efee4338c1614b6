import { type AttributeRows, asSent, describeAttribute } from './describe-attribute.js';

const yes = ['true', '1', '"1"', '"true"', '"True"', '"TRUE"'];
const no = ['false', '0', '"0"', '"false"', '"False"', '"FALSE"'];

const boolean: AttributeRows = {
  type: 'boolean',
  accepted: [
    ...yes.map((sent) => ({ sent, stored: 'true', changed: 'false' })),
    ...no.map((sent) => ({ sent, stored: 'false', changed: 'true' })),
  ],
  other: 'false',
  rejected: [
    '"yes"',
    '"no"',
    '"on"',
    '"off"',
    '"t"',
    '""',
    '" "',
    '" true "',
    '2',
    '-1',
    '0.5',
    '[]',
    '[true]',
    '{}',
  ],
};

describeAttribute('custom_Is_Valid', boolean);
describeAttribute('custom_Boolean', boolean);

describeAttribute('custom_Tier', {
  type: 'choice',
  accepted: [asSent('"gold"'), { ...asSent('"silver"'), changed: '"gold"' }],
  other: '"silver"',
  rejected: [
    '"bronze"',
    '"Gold"',
    '"gold "',
    '"gold,silver"',
    '""',
    '0',
    '1',
    'true',
    '[]',
    '["gold"]',
    '{}',
  ],
});
