import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { Problem } from '../../api/call';
import { fieldProblem } from '../../api/field-problem';
import { ChoicesInput } from './choices-input';
import type { Draft } from './draft';
import { NAME_RULE, TYPE_WORDS } from './type-words';

interface DeclareFieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** Whether the name is still to be given. */
  readonly isNew: boolean;
  readonly isBuiltIn: boolean;
  /** Whether the name is in use: declaring it again would change that one. */
  readonly isTaken: boolean;
  readonly error: Error | null;
}

export function DeclareFields({ draft, onDraft, isNew, isBuiltIn, isTaken, error }: DeclareFieldsProps) {
  const set = (part: Partial<Draft>) => onDraft({ ...draft, ...part });
  return (
    <>
      {isNew && (
        <TextInput
          label="Name"
          description={NAME_RULE}
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value.trim() })}
          error={isTaken ? `${draft.name} is declared already: edit it instead.` : nameProblem(error)}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
        />
      )}
      <NativeSelect
        label="Type"
        description={isBuiltIn ? 'It is built in, so its type stays.' : TYPE_WORDS[draft.type]}
        value={draft.type}
        onChange={(event) => set({ type: event.currentTarget.value as Draft['type'] })}
        data={Object.keys(TYPE_WORDS)}
        disabled={isBuiltIn}
        error={fieldProblem(error, 'type')}
      />
      {draft.type === 'choice' && (
        <ChoicesInput
          choices={draft.choices}
          onChoices={(choices) => set({ choices })}
          error={fieldProblem(error, 'choices')}
        />
      )}
      <Switch
        label="Indexed"
        description="Accounts are found quickly by its value, however many there are."
        checked={draft.isIndexed}
        onChange={(event) => set({ isIndexed: event.currentTarget.checked })}
        error={fieldProblem(error, 'indexed')}
      />
      {!isBuiltIn && (
        <Switch
          label="Read-only"
          description="Requests that send it are refused; stored values stay."
          checked={draft.isReadOnly}
          onChange={(event) => set({ isReadOnly: event.currentTarget.checked })}
          error={fieldProblem(error, 'read_only')}
        />
      )}
    </>
  );
}

/** What the server says of the name, which is in the path and not in the body. */
export function nameProblem(error: Error | null): string | undefined {
  const errors = error instanceof Problem ? error.errors : [];
  return errors.find(({ pointer }) => pointer === '/path/name')?.detail;
}
