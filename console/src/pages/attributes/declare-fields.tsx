import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { fieldError, nameError } from '../../api/field-error';
import { ChoicesInput } from './choices-input';
import type { Draft } from './draft';
import { OwnerFields } from './owner-fields';
import { NAME_RULE, TYPE_DESCRIPTIONS } from './type-descriptions';

/** What can be changed: of a built-in attribute not the type, and only the owner of a field such as the name. */
export type AllowedChanges = 'all' | 'all but type' | 'owner';

interface DeclareFieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** Whether the user enters the name. */
  readonly isNew: boolean;
  readonly allowed: AllowedChanges;
  /** Whether the name is already declared. Declaring it again would change that attribute. */
  readonly isDeclared: boolean;
  readonly error: Error | null;
}

export function DeclareFields({ draft, onDraft, isNew, allowed, isDeclared, error }: DeclareFieldsProps) {
  const set = (part: Partial<Draft>) => onDraft({ ...draft, ...part });
  const owner = <OwnerFields draft={draft} set={set} error={error} />;
  if (allowed === 'owner') return owner;
  const isBuiltIn = allowed !== 'all';
  return (
    <>
      {isNew && (
        <TextInput
          label="Name"
          description={NAME_RULE}
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value.trim() })}
          error={
            isDeclared ? `${draft.name} is already declared. Edit that attribute instead.` : nameError(error)
          }
          spellCheck={false}
          autoComplete="off"
          data-autofocus
        />
      )}
      <NativeSelect
        label="Type"
        description={
          isBuiltIn ? 'The type of a built-in attribute cannot be changed.' : TYPE_DESCRIPTIONS[draft.type]
        }
        value={draft.type}
        onChange={(event) => set({ type: event.currentTarget.value as Draft['type'] })}
        data={Object.keys(TYPE_DESCRIPTIONS)}
        disabled={isBuiltIn}
        error={fieldError(error, 'type')}
      />
      {draft.type === 'choice' && (
        <ChoicesInput
          choices={draft.choices}
          onChoices={(choices) => set({ choices })}
          error={fieldError(error, 'choices')}
        />
      )}
      <Switch
        label="Indexed"
        description="Makes filtering accounts by this attribute fast, even with many accounts."
        checked={draft.isIndexed}
        onChange={(event) => set({ isIndexed: event.currentTarget.checked })}
        error={fieldError(error, 'indexed')}
      />
      {!isBuiltIn && (
        <Switch
          label="Read-only"
          description="Requests that send this attribute are rejected. Stored values stay."
          checked={draft.isReadOnly}
          onChange={(event) => set({ isReadOnly: event.currentTarget.checked })}
          error={fieldError(error, 'read_only')}
        />
      )}
      {owner}
    </>
  );
}
