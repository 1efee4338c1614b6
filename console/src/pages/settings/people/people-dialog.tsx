import type { ReactNode } from 'react';
import type { Invitation, Invited, IssuedLink, Member } from '../../../api/people';
import { aRole } from '../../../components/roles';
import { SecretModal } from '../../../components/secret-modal';
import { ChangeRole } from './change-role';
import { InvitePerson } from './invite-person';
import { LinkView } from './link-view';
import {
  DisableMember,
  EnableMember,
  EndSessions,
  MakePasswordLink,
  RemoveInvitation,
  RemoveMember,
} from './member-actions';

export type MemberAction = 'role' | 'disable' | 'enable' | 'password-link' | 'end-sessions' | 'remove';

export type Dialog =
  | { readonly kind: 'invite'; readonly invited?: Invited }
  | { readonly kind: 'invited'; readonly link: IssuedLink & Invited }
  | { readonly kind: 'remove-invitation'; readonly invitation: Invitation }
  | { readonly kind: MemberAction; readonly member: Member }
  | { readonly kind: 'password'; readonly member: Member; readonly link: IssuedLink };

interface PeopleDialogProps {
  readonly dialog: Dialog | undefined;
  readonly onDialog: (next: Dialog) => void;
  readonly onClose: () => void;
  /** Closes the dialog, and receives a confirmation to show. */
  readonly onDone: (note: ReactNode) => void;
}

/** One dialog for all actions. A link is stored only in the state of this dialog, and is dropped when it closes. */
export function PeopleDialog({ dialog, ...actions }: PeopleDialogProps) {
  const isLink = dialog?.kind === 'invited' || dialog?.kind === 'password';
  return (
    <SecretModal title={dialog && titleOf(dialog)} isSecret={isLink} onClose={actions.onClose}>
      {dialog && <Content dialog={dialog} {...actions} />}
    </SecretModal>
  );
}

interface ContentProps extends Omit<PeopleDialogProps, 'dialog'> {
  readonly dialog: Dialog;
}

function Content({ dialog, onDialog, onClose, onDone }: ContentProps) {
  switch (dialog.kind) {
    case 'invite':
      return (
        <InvitePerson
          invited={dialog.invited}
          onIssued={(link) => onDialog({ kind: 'invited', link })}
          onCancel={onClose}
        />
      );
    case 'invited': {
      const { email, role } = dialog.link;
      return (
        <LinkView
          link={dialog.link}
          to={email}
          purpose={`It invites ${email} as ${aRole(role)}.`}
          onStored={() => onDone(`${email} is invited as ${aRole(role)}.`)}
        />
      );
    }
    case 'remove-invitation':
      return <RemoveInvitation invitation={dialog.invitation} onDone={onDone} onCancel={onClose} />;
    case 'password-link': {
      const { member } = dialog;
      return (
        <MakePasswordLink
          member={member}
          onIssued={(link) => onDialog({ kind: 'password', member, link })}
          onCancel={onClose}
        />
      );
    }
    case 'password': {
      const { name } = dialog.member;
      return (
        <LinkView
          link={dialog.link}
          to={name}
          purpose={`With it, ${name} sets a new password.`}
          onStored={() => onDone(`${name} can set a new password with the link.`)}
        />
      );
    }
    default: {
      const Action = ACTIONS[dialog.kind];
      return <Action member={dialog.member} onDone={onDone} onCancel={onClose} />;
    }
  }
}

const ACTIONS = {
  role: ChangeRole,
  disable: DisableMember,
  enable: EnableMember,
  'end-sessions': EndSessions,
  remove: RemoveMember,
} as const;

const TITLES = {
  role: (name: string) => `Change the role of ${name}`,
  disable: (name: string) => `Disable ${name}?`,
  enable: (name: string) => `Enable ${name}?`,
  'password-link': (name: string) => `Make a password link for ${name}?`,
  'end-sessions': (name: string) => `End all sessions of ${name}?`,
  remove: (name: string) => `Remove ${name}?`,
  password: (name: string) => `Password link for ${name}`,
} as const;

function titleOf(dialog: Dialog): string {
  switch (dialog.kind) {
    case 'invite':
      return dialog.invited === undefined ? 'Invite a person' : `New link for ${dialog.invited.email}`;
    case 'invited':
      return `Invitation for ${dialog.link.email}`;
    case 'remove-invitation':
      return `Remove the invitation of ${dialog.invitation.email}?`;
    default:
      return TITLES[dialog.kind](dialog.member.name);
  }
}
