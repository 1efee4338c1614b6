import { TagsInput as MantineTagsInput, Pill, type TagsInputProps } from '@mantine/core';

interface OwnProps {
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}

/** Several texts, each with a button that removes it and has a name for screen readers. Case matters. */
export function TagsInput({ value, ...props }: Omit<TagsInputProps, keyof OwnProps> & OwnProps) {
  return (
    <MantineTagsInput
      isDuplicate={(tag, others) => others.includes(tag)}
      renderPill={({ value: tag, onRemove }) => (
        <Pill
          withRemoveButton
          {...(onRemove && { onRemove })}
          removeButtonProps={{ 'aria-label': `Remove ${tag}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {String(tag)}
        </Pill>
      )}
      {...props}
      value={[...value]}
    />
  );
}
