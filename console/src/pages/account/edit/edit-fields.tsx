import type { Attribute } from '@account-sync/client';
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useFields } from '../../../api/attributes';
import { useSession } from '../../../api/session';
import { ExpandButton } from '../../../components/expand-button';
import { plural } from '../../../components/format';
import { matchesSearch } from '../../../components/matches-search';
import { isOwnProperty } from '../../../components/value-control';
import { type AccountDraft, storedValue } from './account-draft';
import { EditField } from './edit-field';

/** With more fields, the form has a search. */
const MANY_FIELDS = 15;

interface EditFieldsProps {
  readonly draft: AccountDraft;
  readonly fields: readonly Attribute[];
  readonly onText: (field: Attribute, text: string | undefined) => void;
  readonly errorOf: (field: Attribute) => string | undefined;
}

/** First the fields with a value, then the others on request. Fields with an error are always shown. */
export function EditFields({ draft, fields, onText, errorOf }: EditFieldsProps) {
  const find = useFields();
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const isLong = fields.length > MANY_FIELDS;
  const hasError = (field: Attribute) => errorOf(field) !== undefined;
  const hasValue = ({ name }: Attribute) => isOwnProperty(name) || storedValue(draft.base, name) !== null;
  const shown = fields.filter(
    (field) => matchesSearch([field.name, find(field.name).label], search) || hasError(field),
  );
  const rest = shown.filter((field) => !hasValue(field));
  const isRestOpen = isOpen || search !== '' || rest.some(hasError);
  const inputs = { draft, onText, errorOf, hasAutofocus: !isLong };
  return (
    <>
      {isLong && (
        <TextInput
          data-autofocus
          label="Find a field"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {shown.length === 0 && <Text size="sm">No field has this in its name.</Text>}
      <Inputs {...inputs} fields={shown.filter(hasValue)} />
      {rest.length > 0 && search === '' && (
        <div>
          <ExpandButton
            isOpen={isRestOpen}
            onToggle={() => setOpen(!isRestOpen)}
            what={`${plural(rest.length, 'field')} without a value`}
          />
        </div>
      )}
      {isRestOpen && <Inputs {...inputs} hasAutofocus={false} fields={rest} />}
    </>
  );
}

interface InputsProps extends EditFieldsProps {
  /** Whether the first input has the focus when the dialog opens. */
  readonly hasAutofocus: boolean;
}

function Inputs({ draft, fields, onText, errorOf, hasAutofocus }: InputsProps) {
  const source = useSession().data?.source;
  const isLocked = ({ owner }: Attribute) => owner !== null && owner.source !== source;
  const first = hasAutofocus ? fields.find((field) => !isLocked(field)) : undefined;
  if (fields.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
      {fields.map((field) => (
        <EditField
          key={field.name}
          field={field}
          draft={draft}
          onText={onText}
          isLocked={isLocked(field)}
          isFirst={field === first}
          error={errorOf(field)}
        />
      ))}
    </SimpleGrid>
  );
}
