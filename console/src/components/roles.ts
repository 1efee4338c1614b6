import type { Role } from '../api/session';

interface RoleText {
  readonly label: string;
  /** What it allows. */
  readonly meaning: string;
}

/** From the least to the most. */
export const ROLES: Readonly<Record<Role, RoleText>> = {
  viewer: { label: 'Viewer', meaning: 'Sees accounts, their history, sources, runs and rejections.' },
  editor: {
    label: 'Editor',
    meaning: 'Also edits and archives accounts, sends records with Try it, and undoes runs.',
  },
  admin: {
    label: 'Admin',
    meaning: 'Also deletes accounts, and changes attributes, sources, webhooks, settings, people and keys.',
  },
};

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** “viewer” with its article. */
export function aRole(role: Role): string {
  return `${role === 'viewer' ? 'a' : 'an'} ${role}`;
}
