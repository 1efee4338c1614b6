import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { useChangeProfile } from '../../api/profile';
import { type SessionUser, useSession } from '../../api/session';
import { ErrorState } from '../../components/error-state';
import { Fact } from '../../components/fact';
import { OwnNameInput } from '../../components/own-name-input';
import { Panel } from '../../components/panel';
import { ROLES } from '../../components/roles';
import { SavedNote } from '../../components/saved-note';

export function NameForm({ user }: { user: SessionUser }) {
  const tenant = useSession().data?.tenant;
  const [draft, setDraft] = useState(user.name);
  const [note, setNote] = useState<string>();
  const change = useChangeProfile(() => setNote('Your name was changed.'));
  const other = otherError(change.error, ['name']);
  const name = draft.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setNote(undefined);
    change.mutate({ name });
  };
  return (
    <Panel title="You">
      <Group gap="xl" mb="md">
        <Fact name="E-mail address">
          <span className="breakable">{user.email}</span>
        </Fact>
        <Fact name={`Role in ${tenant}`}>{ROLES[user.role].label}</Fact>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {ROLES[user.role].meaning}
      </Text>
      <form onSubmit={submit}>
        <Stack maw={420}>
          <OwnNameInput
            label="Name"
            description="Shown beside what you change, here and in the history."
            value={draft}
            onValue={setDraft}
            error={fieldError(change.error, 'name')}
          />
          {other && <ErrorState error={other} />}
          <Group>
            <Button type="submit" loading={change.isPending} disabled={name === '' || name === user.name}>
              Change the name
            </Button>
          </Group>
        </Stack>
      </form>
      <SavedNote>{note}</SavedNote>
    </Panel>
  );
}
