import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type Invitation, type Member, useInvitations, useMembers } from '../../../api/people';
import { EmptyState } from '../../../components/empty-state';
import { QueryView } from '../../../components/query-view';
import { SavedNote } from '../../../components/saved-note';
import { SkeletonLines } from '../../../components/skeleton-lines';
import { useDialog } from '../../../components/use-dialog';
import { IconUserPlus, IconUsers } from '../../../icons/icons.js';
import { InvitationList } from './invitation-list';
import { MemberList } from './member-list';
import { type Dialog, PeopleDialog } from './people-dialog';

/** The people who belong to the tenant, and those who are invited. */
export function PeopleSection() {
  const members = useMembers();
  const invitations = useInvitations();
  const { dialog, note, open, close, done } = useDialog<Dialog>();
  const invite = () => open({ kind: 'invite' });
  const hasInvitations = (invitations.data?.length ?? 0) > 0;
  return (
    <Stack gap="lg">
      <Paper p="lg" component="section" aria-label="People">
        <Group justify="space-between" align="flex-start" mb="md">
          <div>
            <Title order={2} size="h4">
              People
            </Title>
            <Text c="dimmed" size="sm">
              Who may sign in to this tenant, and what each of them may do.
            </Text>
          </div>
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invite}>
            Invite a person
          </Button>
        </Group>
        <SavedNote>{note}</SavedNote>
        <QueryView query={members} loading={<SkeletonLines lines={3} height={56} />}>
          {(people) => <Members members={people} hasInvitations={hasInvitations} onDialog={open} />}
        </QueryView>
      </Paper>
      <QueryView query={invitations} loading={null}>
        {(list) => <Invitations invitations={list} onDialog={open} />}
      </QueryView>
      <PeopleDialog dialog={dialog} onDialog={open} onClose={close} onDone={done} />
    </Stack>
  );
}

interface MembersProps {
  readonly members: readonly Member[];
  readonly hasInvitations: boolean;
  readonly onDialog: (dialog: Dialog) => void;
}

function Members({ members, hasInvitations, onDialog }: MembersProps) {
  if (members.length > 0)
    return <MemberList members={members} onAction={(kind, member) => onDialog({ kind, member })} />;
  return (
    <EmptyState icon={IconUsers} title="No users yet">
      {hasInvitations
        ? 'People appear here after they accept an invitation.'
        : 'People who sign in with a key are recorded as that key. Invite them: each gets a password and a role, and changes are recorded under the name of the person.'}
    </EmptyState>
  );
}

interface InvitationsProps {
  readonly invitations: readonly Invitation[];
  readonly onDialog: (dialog: Dialog) => void;
}

function Invitations({ invitations, onDialog }: InvitationsProps) {
  if (invitations.length === 0) return null;
  return (
    <Paper p="lg" component="section" aria-label="Open invitations">
      <Title order={2} size="h4">
        Open invitations
      </Title>
      <Text c="dimmed" size="sm" mb="sm">
        A new link replaces the one before.
      </Text>
      <InvitationList
        invitations={invitations}
        onNewLink={(invited) => onDialog({ kind: 'invite', invited })}
        onRemove={(invitation) => onDialog({ kind: 'remove-invitation', invitation })}
      />
    </Paper>
  );
}
