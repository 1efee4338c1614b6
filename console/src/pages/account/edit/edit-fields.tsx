import type { Attribute } from '@account-sync/client';
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useFields } from '../../../api/attributes';
import { useSession } from '../../../api/session';
import { ExpandButton } from '../../../components/expand-button';
import { plural } from '../../../components/format';
import { matchesSearch } from '../../../components/matches-search';
import { isOwnProperty } from '../../../components/value-control';
import { type AccountDraft, isOvertaken, storedValue } from './account-draft';
import { EditField } from './edit-field';

/** With more fields, the form has a search. */
const MANY_FIELDS = 15;

interface EditFieldsProps {
  readonly draft: AccountDraft;
  readonly fields: readonly Attribute[];
  readonly onText: (field: Attribute, text: string | undefined) => void;
  readonly errorOf: (field: Attribute) => string | undefined;
}

/**
 * First the fields with a value, then the others on request. Fields with an error or a mark are always shown. The inputs of fields
 * that are not shown stay in the document: an incomplete date is known to its input only.
 */
export function EditFields({ draft, fields, onText, errorOf }: EditFieldsProps) {
  const find = useFields();
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const isLong = fields.length > MANY_FIELDS;
  const hasError = (field: Attribute) => errorOf(field) !== undefined;
  const hasValue = ({ name }: Attribute) => isOwnProperty(name) || storedValue(draft.base, name) !== null;
  const isMarked = (field: Attribute) => hasError(field) || isOvertaken(draft, field);
  const shown = fields.filter(
    (field) => matchesSearch([field.name, find(field.name).label], search) || isMarked(field),
  );
  const rest = shown.filter((field) => !hasValue(field));
  const isRestOpen = isOpen || search !== '' || rest.some(isMarked);
  const inputs = { draft, onText, errorOf };
  const visible = new Set(isRestOpen ? shown : shown.filter(hasValue));
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
      <Inputs {...inputs} hasAutofocus={!isLong} fields={fields.filter(hasValue)} visible={visible} />
      {rest.length > 0 && search === '' && (
        <div>
          <ExpandButton
            isOpen={isRestOpen}
            onToggle={() => setOpen(!isRestOpen)}
            what={`${plural(rest.length, 'field')} without a value`}
          />
        </div>
      )}
      <Inputs
        {...inputs}
        hasAutofocus={false}
        fields={fields.filter((field) => !hasValue(field))}
        visible={visible}
      />
    </>
  );
}

interface InputsProps extends EditFieldsProps {
  readonly visible: ReadonlySet<Attribute>;
  /** Whether the first input has the focus when the dialog opens. */
  readonly hasAutofocus: boolean;
}

function Inputs({ draft, fields, visible, onText, errorOf, hasAutofocus }: InputsProps) {
  const source = useSession().data?.source;
  const isLocked = ({ owner }: Attribute) => owner !== null && owner.source !== source;
  const first = hasAutofocus ? fields.find((field) => !isLocked(field)) : undefined;
  return (
    <div hidden={!fields.some((field) => visible.has(field))}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
        {fields.map((field) => (
          <div
            key={field.name}
            hidden={!visible.has(field)}
            data-overtaken={isOvertaken(draft, field) || undefined}
          >
            <EditField
              field={field}
              draft={draft}
              onText={onText}
              isLocked={isLocked(field)}
              isFirst={field === first}
              error={errorOf(field)}
            />
          </div>
        ))}
      </SimpleGrid>
    </div>
  );
}
