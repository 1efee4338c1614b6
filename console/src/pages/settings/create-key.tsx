import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldProblem, otherProblem } from '../../api/field-problem';
import { type IssuedKey, useCreateKey } from '../../api/keys';
import type { Scope } from '../../api/session';
import { ErrorState } from '../../parts/error-state';
import { type Expiry, expiryMoment } from './expiry';
import { ExpiryInput } from './expiry-input';

const SCOPES: readonly { scope: Scope; meaning: string }[] = [
  { scope: 'sync', meaning: 'Send accounts: create and update them, one by one or as an import.' },
  { scope: 'read', meaning: 'Read accounts, their history, the changes, and what was refused.' },
  { scope: 'admin', meaning: 'Delete accounts; change attributes, settings, blocked ids and keys.' },
];

interface CreateKeyProps {
  readonly onIssued: (issued: IssuedKey) => void;
  readonly onCancel: () => void;
}

export function CreateKey({ onIssued, onCancel }: CreateKeyProps) {
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['sync']);
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'never', day: '' });
  const create = useCreateKey(onIssued);
  const problem = (field: string) => fieldProblem(create.error, field);
  const other = otherProblem(create.error, ['label', 'scopes', 'expires_at']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ label: label.trim(), scopes, expires_at: expiryMoment(expiry, Date.now()) ?? null });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Label"
          description="Which system, or who, will use it"
          placeholder="crm"
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          error={problem('label')}
          maxLength={200}
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
        />
        <Checkbox.Group
          label="Scopes"
          description="What the key may do"
          value={scopes}
          onChange={(values) => setScopes(values as Scope[])}
          error={scopes.length === 0 ? 'Choose at least one.' : problem('scopes')}
        >
          <Stack gap="xs" mt="xs">
            {SCOPES.map(({ scope, meaning }) => (
              <Checkbox key={scope} value={scope} label={scope} description={meaning} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ExpiryInput label="Ends" value={expiry} onChange={setExpiry} error={problem('expires_at')} />
        {other && <ErrorState error={other} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={scopes.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
