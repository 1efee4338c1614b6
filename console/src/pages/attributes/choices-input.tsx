import { TagsInput } from '../../components/tags-input';

interface ChoicesInputProps {
  readonly choices: readonly string[];
  readonly onChoices: (choices: readonly string[]) => void;
  readonly error: string | undefined;
}

/** A choice can be any text, including commas, so only line breaks separate pasted choices. */
export function ChoicesInput({ choices, onChoices, error }: ChoicesInputProps) {
  return (
    <TagsInput
      label="Choices"
      description="Type a choice and press Enter, or paste several choices, one per line."
      value={choices}
      onChange={onChoices}
      splitChars={['\n']}
      maxTags={1000}
      styles={{ pillsList: { maxHeight: 180, overflowY: 'auto' } }}
      error={error}
    />
  );
}
