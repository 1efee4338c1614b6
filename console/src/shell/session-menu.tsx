import { Badge, Button, Divider, Group, NavLink, Popover, Stack, Text } from '@mantine/core';
import { type Session, useSignOut } from '../api/session';
import { Timestamp } from '../components/timestamp';
import { IconBook2, IconChevronDown, IconLogout } from '../icons/icons.js';

/** Shows the tenant and the key of the session, and signs out. */
export function SessionMenu({ session }: { session: Session }) {
  const signOut = useSignOut();
  return (
    <Popover position="bottom-end" width={270} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          rightSection={<IconChevronDown size={15} aria-hidden />}
          maw={220}
        >
          {session.tenant}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label="Session">
        <Stack gap={6} p="sm">
          <Text size="sm" fw={600} className="breakable">
            {session.label === '' ? 'Key without a label' : session.label}
          </Text>
          <Text size="xs" c="dimmed">
            Key {session.key_id} of tenant {session.tenant}
          </Text>
          <Group gap={6}>
            {session.scopes.map((scope) => (
              <Badge key={scope} variant="default" size="sm">
                {scope}
              </Badge>
            ))}
          </Group>
          {session.expires_at !== null && (
            <Text size="xs" c="dimmed">
              This session ends <Timestamp at={session.expires_at} />
            </Text>
          )}
        </Stack>
        <Divider my={4} />
        <NavLink href="/docs" label="API reference" leftSection={<IconBook2 size={16} aria-hidden />} />
        <NavLink
          component="button"
          label="Sign out"
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate()}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
