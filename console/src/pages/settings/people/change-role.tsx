import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Member, useChangeMember } from '../../../api/people';
import { useSignInMethods } from '../../../api/sign-in';
import { Caution } from '../../../components/caution';
import { ErrorState } from '../../../components/error-state';
import { aRole } from '../../../components/roles';
import { RoleChoice } from './role-choice';

interface ChangeRoleProps {
  readonly member: Member;
  readonly onDone: (note: ReactNode) => void;
  readonly onCancel: () => void;
}

export function ChangeRole({ member, onDone, onCancel }: ChangeRoleProps) {
  const { id, name, origin } = member;
  const [role, setRole] = useState(member.role);
  const change = useChangeMember();
  const provider = useSignInMethods().data?.oidc?.name ?? 'The identity provider';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ id, role }, { onSuccess: () => onDone(`${name} is ${aRole(role)} now.`) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <RoleChoice value={role} onChange={setRole} />
        {origin === 'oidc' && (
          <Caution title={`${provider} decides on this role`}>
            The next sign-in of {name} sets it again. To change it for good, change it there.
          </Caution>
        )}
        {change.error !== null && <ErrorState error={change.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={role === member.role}>
            Change the role
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
