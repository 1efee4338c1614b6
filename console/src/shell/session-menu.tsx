import { Badge, Button, Divider, Group, NavLink, Popover, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import { type Session, useSignOut } from '../api/session';
import { ROLES } from '../components/roles';
import { Timestamp } from '../components/timestamp';
import { IconBook2, IconChevronDown, IconDeviceDesktop, IconLogout, IconUser } from '../icons/icons.js';
import { TenantSwitch } from './tenant-switch';

/** Shows who is signed in to which tenant, switches to another one, and signs out. */
export function SessionMenu({ session }: { session: Session }) {
  const [isOpen, menu] = useDisclosure();
  const signOut = useSignOut();
  const { tenant, tenants, user } = session;
  return (
    <Popover
      opened={isOpen}
      onChange={menu.set}
      position="bottom-end"
      width={270}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          rightSection={<IconChevronDown size={15} aria-hidden />}
          maw={220}
          onClick={menu.toggle}
        >
          {tenant}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label="Session">
        {user === null ? <KeyView session={session} /> : <UserView session={session} user={user} />}
        {tenants.length > 1 && (
          <>
            <Divider my={4} />
            <TenantSwitch session={session} onDone={menu.close} />
          </>
        )}
        <Divider my={4} />
        <NavLink
          component={Link}
          href="/profile"
          label={user === null ? 'Sessions' : 'Profile and sessions'}
          leftSection={user === null ? <IconDeviceDesktop size={16} /> : <IconUser size={16} />}
          onClick={menu.close}
        />
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

function UserView({ session, user }: { session: Session; user: NonNullable<Session['user']> }) {
  return (
    <Stack gap={6} p="sm">
      <div>
        <Text size="sm" fw={600} className="breakable">
          {user.name}
        </Text>
        <Text size="xs" c="dimmed" className="breakable">
          {user.email}
        </Text>
      </div>
      <Group gap={6}>
        <Badge variant="default" size="sm">
          {ROLES[user.role].label}
        </Badge>
        <Text size="xs" c="dimmed" className="breakable">
          of tenant {session.tenant}
        </Text>
      </Group>
      <End session={session} />
    </Stack>
  );
}

function KeyView({ session }: { session: Session }) {
  return (
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
      <End session={session} />
    </Stack>
  );
}

function End({ session: { expires_at } }: { session: Session }) {
  if (expires_at === null) return null;
  return (
    <Text size="xs" c="dimmed">
      This session ends <Timestamp at={expires_at} />
    </Text>
  );
}
