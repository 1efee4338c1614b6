import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core';
import type { Member } from '../../../api/people';
import { useSession } from '../../../api/session';
import { useSignInMethods } from '../../../api/sign-in';
import { ROLES } from '../../../components/roles';
import { Timestamp } from '../../../components/timestamp';
import { IconDots } from '../../../icons/icons.js';
import type { MemberAction } from './people-dialog';

export interface MemberProps {
  readonly member: Member;
}

function useIsOwn({ id }: Member): boolean {
  return useSession().data?.user?.id === id;
}

export function MemberName({ member }: MemberProps) {
  const isOwn = useIsOwn(member);
  return (
    <>
      <Group gap="2px 8px">
        <Text size="sm" fw={600} className="breakable">
          {member.name}
        </Text>
        {isOwn && (
          <Badge variant="outline" size="sm">
            you
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" className="breakable">
        {member.email}
      </Text>
    </>
  );
}

export function MemberRole({ member: { role } }: MemberProps) {
  return (
    <Badge variant="default" size="sm" miw="max-content">
      {ROLES[role].label}
    </Badge>
  );
}

export function MemberState({ member: { state } }: MemberProps) {
  return (
    <Badge color={state === 'active' ? 'teal' : 'gray'} size="sm" miw="max-content">
      {state}
    </Badge>
  );
}

/** How the person signs in, and who decides on the role, if that is not an administrator. */
export function SignsInWith({ member: { has_password, origin } }: MemberProps) {
  const provider = useSignInMethods().data?.oidc?.name ?? 'OpenID Connect';
  return (
    <>
      {has_password ? 'Password' : provider}
      {origin === 'oidc' && (
        <Text size="xs" c="dimmed">
          Role by {provider}
        </Text>
      )}
    </>
  );
}

/** The server records the use a little later, so the value of the user's own session is not shown. */
export function LastActive({ member }: MemberProps) {
  const isOwn = useIsOwn(member);
  if (isOwn) return 'Now';
  return member.last_used_at === null ? 'Not yet' : <Timestamp at={member.last_used_at} />;
}

interface MemberMenuProps extends MemberProps {
  readonly onAction: (action: MemberAction) => void;
}

/** Administrators cannot change their own access, so their own row has no actions. */
export function MemberMenu({ member, onAction }: MemberMenuProps) {
  const { name, state, has_password } = member;
  const isOwn = useIsOwn(member);
  if (isOwn) return null;
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} shadow="md">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={`Actions for ${name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAction('role')}>Change the role</Menu.Item>
        {has_password && (
          <Menu.Item onClick={() => onAction('password-link')}>Make a password link</Menu.Item>
        )}
        {state === 'active' && (
          <Menu.Item onClick={() => onAction('end-sessions')}>End all sessions</Menu.Item>
        )}
        <Menu.Divider role="separator" />
        {state === 'active' ? (
          <Menu.Item onClick={() => onAction('disable')}>Disable</Menu.Item>
        ) : (
          <Menu.Item onClick={() => onAction('enable')}>Enable</Menu.Item>
        )}
        <Menu.Item c="var(--mantine-color-error)" onClick={() => onAction('remove')}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
