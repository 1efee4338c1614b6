import { Group, Stack, Table, VisuallyHidden } from '@mantine/core';
import type { Member } from '../../../api/people';
import { Fact } from '../../../components/fact';
import { useIsNarrow } from '../../../components/use-is-narrow';
import { LastActive, MemberMenu, MemberName, MemberRole, MemberState, SignsInWith } from './member-parts';
import type { MemberAction } from './people-dialog';

interface MemberListProps {
  readonly members: readonly Member[];
  readonly onAction: (action: MemberAction, member: Member) => void;
}

/** A table, or a list on narrow screens. */
export function MemberList(props: MemberListProps) {
  return useIsNarrow() ? <MemberCards {...props} /> : <MemberTable {...props} />;
}

function MemberTable({ members, onAction }: MemberListProps) {
  return (
    <Table verticalSpacing="sm" aria-label="People">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Signs in with</Table.Th>
          <Table.Th>Last active</Table.Th>
          <Table.Th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {members.map((member) => (
          <Table.Tr key={member.id}>
            <Table.Th scope="row" fw="normal">
              <MemberName member={member} />
            </Table.Th>
            <Table.Td>
              <MemberRole member={member} />
            </Table.Td>
            <Table.Td>
              <MemberState member={member} />
            </Table.Td>
            <Table.Td>
              <SignsInWith member={member} />
            </Table.Td>
            <Table.Td>
              <LastActive member={member} />
            </Table.Td>
            <Table.Td ta="right">
              <MemberMenu member={member} onAction={(action) => onAction(action, member)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function MemberCards({ members, onAction }: MemberListProps) {
  return (
    <ul className="row-list" aria-label="People">
      {members.map((member) => (
        <Stack key={member.id} component="li" gap="xs">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <MemberName member={member} />
            </div>
            <MemberMenu member={member} onAction={(action) => onAction(action, member)} />
          </Group>
          <Group gap="xs">
            <MemberRole member={member} />
            <MemberState member={member} />
          </Group>
          <Group grow align="flex-start">
            <Fact name="Signs in with">
              <SignsInWith member={member} />
            </Fact>
            <Fact name="Last active">
              <LastActive member={member} />
            </Fact>
          </Group>
        </Stack>
      ))}
    </ul>
  );
}
