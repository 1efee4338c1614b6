import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { type IssuedKey, useCreateKey } from '../../api/keys';
import type { Scope } from '../../api/session';
import { ErrorState } from '../../components/error-state';
import { SourceSelect } from '../../components/source-select';
import { type Expiry, expiryTime } from './expiry';
import { ExpiryInput } from './expiry-input';

const SCOPES: readonly { scope: Scope; meaning: string }[] = [
  { scope: 'sync', meaning: 'Create and update accounts: single accounts, batches and imports.' },
  {
    scope: 'read',
    meaning: 'Read accounts, their history, changes and rejections. The console needs this scope.',
  },
  { scope: 'admin', meaning: 'Delete accounts. Change attributes, sources, webhooks, settings and keys.' },
];

interface CreateKeyProps {
  readonly onIssued: (issued: IssuedKey) => void;
  readonly onCancel: () => void;
}

export function CreateKey({ onIssued, onCancel }: CreateKeyProps) {
  const [label, setLabel] = useState('');
  const [source, setSource] = useState<string>();
  const [scopes, setScopes] = useState<Scope[]>(['sync']);
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'never', day: '' });
  const create = useCreateKey(onIssued);
  const problem = (field: string) => fieldError(create.error, field);
  const other = otherError(create.error, ['label', 'source', 'scopes', 'expires_at']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      label: label.trim(),
      ...(source !== undefined && { source }),
      scopes,
      expires_at: expiryTime(expiry, Date.now()) ?? null,
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Label"
          description="The system or person that will use the key"
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
        <SourceSelect
          description="Its requests belong to runs of this source"
          none="Named after the label"
          value={source}
          onSource={setSource}
          error={problem('source')}
        />
        <Checkbox.Group
          label="Scopes"
          description="What the key can do"
          value={scopes}
          onChange={(values) => setScopes(values as Scope[])}
          error={scopes.length === 0 ? 'Select at least one scope.' : problem('scopes')}
        >
          <Stack gap="xs" mt="xs">
            {SCOPES.map(({ scope, meaning }) => (
              <Checkbox key={scope} value={scope} label={scope} description={meaning} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ExpiryInput label="Expires" value={expiry} onChange={setExpiry} error={problem('expires_at')} />
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
