import type { ReactNode } from 'react';
import {
  type Invitation,
  type IssuedLink,
  type Member,
  useChangeMember,
  useEndMemberSessions,
  useMakePasswordLink,
  useRemoveInvitation,
  useRemoveMember,
} from '../../../api/people';
import { Confirm } from '../../../components/confirm';
import { plural } from '../../../components/format';
import { aRole } from '../../../components/roles';

interface MemberActionProps {
  readonly member: Member;
  readonly onDone: (note: ReactNode) => void;
  readonly onCancel: () => void;
}

export function DisableMember({ member: { id, name }, onDone, onCancel }: MemberActionProps) {
  const change = useChangeMember();
  const confirm = () =>
    change.mutate({ id, disabled: true }, { onSuccess: () => onDone(`${name} is disabled.`) });
  return (
    <Confirm action="Disable" isDestructive change={change} onConfirm={confirm} onCancel={onCancel}>
      <b>{name}</b> is signed out of this tenant immediately, and cannot sign in to it until you enable the
      person again. The role stays.
    </Confirm>
  );
}

export function EnableMember({ member: { id, name, role }, onDone, onCancel }: MemberActionProps) {
  const change = useChangeMember();
  const confirm = () =>
    change.mutate({ id, disabled: false }, { onSuccess: () => onDone(`${name} is enabled.`) });
  return (
    <Confirm action="Enable" change={change} onConfirm={confirm} onCancel={onCancel}>
      <b>{name}</b> can sign in to this tenant again, as {aRole(role)}.
    </Confirm>
  );
}

export function EndSessions({ member: { id, name }, onDone, onCancel }: MemberActionProps) {
  const end = useEndMemberSessions();
  const confirm = () =>
    end.mutate(id, {
      onSuccess: ({ ended }) =>
        onDone(`${plural(ended, 'session')} of ${name} ${ended === 1 ? 'was' : 'were'} ended.`),
    });
  return (
    <Confirm action="End all sessions" isDestructive change={end} onConfirm={confirm} onCancel={onCancel}>
      <b>{name}</b> is signed out of this tenant in every browser, and can sign in again.
    </Confirm>
  );
}

interface MakePasswordLinkProps extends Pick<MemberActionProps, 'member' | 'onCancel'> {
  readonly onIssued: (link: IssuedLink) => void;
}

export function MakePasswordLink({ member: { id, name }, onIssued, onCancel }: MakePasswordLinkProps) {
  const make = useMakePasswordLink(onIssued);
  return (
    <Confirm action="Make the link" change={make} onConfirm={() => make.mutate(id)} onCancel={onCancel}>
      With the link, <b>{name}</b> sets a new password, which ends all sessions of the person. The present
      password works until then. Anyone who has the link can use it, so send it to {name} only.
    </Confirm>
  );
}

export function RemoveMember({ member: { id, name, email }, onDone, onCancel }: MemberActionProps) {
  const removal = useRemoveMember();
  const confirm = () => removal.mutate(id, { onSuccess: () => onDone(`${name} was removed.`) });
  return (
    <Confirm action="Remove" isDestructive change={removal} onConfirm={confirm} onCancel={onCancel}>
      <b>{name}</b> is signed out of this tenant immediately, and cannot sign in to it any more. The history
      goes on naming the person. To give access again, invite {email}.
    </Confirm>
  );
}

interface RemoveInvitationProps extends Pick<MemberActionProps, 'onDone' | 'onCancel'> {
  readonly invitation: Invitation;
}

export function RemoveInvitation({ invitation: { id, email }, onDone, onCancel }: RemoveInvitationProps) {
  const removal = useRemoveInvitation();
  const confirm = () =>
    removal.mutate(id, { onSuccess: () => onDone(`The invitation of ${email} was removed.`) });
  return (
    <Confirm action="Remove" isDestructive change={removal} onConfirm={confirm} onCancel={onCancel}>
      The link that <b>{email}</b> has got stops working.
    </Confirm>
  );
}
