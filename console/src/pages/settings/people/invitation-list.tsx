import { Badge, Button, Group, Text } from '@mantine/core';
import type { Invitation } from '../../../api/people';
import { ROLES } from '../../../components/roles';
import { Timestamp } from '../../../components/timestamp';

interface InvitationListProps {
  readonly invitations: readonly Invitation[];
  readonly onNewLink: (invitation: Invitation) => void;
  readonly onRemove: (invitation: Invitation) => void;
}

export function InvitationList({ invitations, onNewLink, onRemove }: InvitationListProps) {
  return (
    <ul className="row-list" aria-label="Open invitations">
      {invitations.map((invitation) => {
        const { id, email, role, created_at, expires_at } = invitation;
        return (
          <li key={id}>
            <Group justify="space-between" gap="xs">
              <div style={{ minWidth: 0 }}>
                <Group gap="2px 8px">
                  <Text size="sm" fw={600} className="breakable">
                    {email}
                  </Text>
                  <Badge variant="default" size="sm" miw="max-content">
                    {ROLES[role].label}
                  </Badge>
                </Group>
                <Text size="xs" c="dimmed">
                  Invited <Timestamp at={created_at} /> · the link expires <Timestamp at={expires_at} />
                </Text>
              </div>
              <Group gap={6} wrap="nowrap">
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`New link for ${email}`}
                  onClick={() => onNewLink(invitation)}
                >
                  New link
                </Button>
                <Button
                  variant="default"
                  c="var(--mantine-color-error)"
                  size="compact-sm"
                  aria-label={`Remove the invitation of ${email}`}
                  onClick={() => onRemove(invitation)}
                >
                  Remove
                </Button>
              </Group>
            </Group>
          </li>
        );
      })}
    </ul>
  );
}
