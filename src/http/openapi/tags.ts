export const TAGS = [
  { name: 'Accounts', description: 'Read, import and erase accounts.' },
  { name: 'Hierarchy', description: 'Which account is below which.' },
  { name: 'Changes', description: 'What happened: histories, the feed of all changes, refusals, counts.' },
  { name: 'Schema', description: 'Which attributes accounts have, and of which type.' },
  { name: 'Settings', description: 'What a tenant accepts, and who changed it.' },
  { name: 'Keys', description: 'Who may use the interface.' },
  {
    name: 'Sessions',
    description: 'How a browser signs in with a key, so that no page has to keep it.',
  },
  { name: 'Contract', description: 'The first interface: create or update accounts. Its bytes are fixed.' },
  { name: 'Operations', description: 'For those who run the service. All but `get-status` need no key.' },
] as const;
