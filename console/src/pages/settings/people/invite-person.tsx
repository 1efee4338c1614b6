import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/call';
import { fieldError } from '../../../api/field-error';
import { type Invited, type IssuedLink, useInvite } from '../../../api/people';
import type { Role } from '../../../api/session';
import { ErrorState } from '../../../components/error-state';
import { RoleChoice } from './role-choice';

interface InvitePersonProps {
  /** Of an invitation that gets a new link. */
  readonly invited: Invited | undefined;
  readonly onIssued: (link: IssuedLink & Invited) => void;
  readonly onCancel: () => void;
}

export function InvitePerson({ invited, onIssued, onCancel }: InvitePersonProps) {
  const [email, setEmail] = useState(invited?.email ?? '');
  const [role, setRole] = useState<Role>(invited?.role ?? 'viewer');
  const person = { email: email.trim(), role };
  const invite = useInvite((link) => onIssued({ ...person, ...link }));
  const isMember = invite.error instanceof ApiError && invite.error.code === 'user_exists';
  const emailError = fieldError(invite.error, 'email') ?? (isMember ? invite.error?.message : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(person);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail address"
          description="With which the person signs in. Nothing is sent to it: you get a link to pass on."
          placeholder="name@example.com"
          inputMode="email"
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            invite.reset();
          }}
          error={emailError}
          maxLength={254}
          required
          withAsterisk={false}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          readOnly={invited !== undefined}
          data-autofocus={invited === undefined || undefined}
        />
        <RoleChoice value={role} onChange={setRole} />
        {invite.error !== null && emailError === undefined && <ErrorState error={invite.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending} disabled={person.email === ''}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
