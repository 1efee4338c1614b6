import { NumberInput, Stack } from '@mantine/core';
import { useAttributesAndOwnableFields } from '../../../api/attributes';
import { useSources } from '../../../api/sources';
import { TagsInput } from '../../../components/tags-input';
import type { FieldsProps } from './fields';
import { ValueConditions } from './value-conditions';

/** The filter and the batch size. */
export function OptionalFields({ draft, onDraft, problem }: FieldsProps) {
  const sources = useSources().data ?? [];
  const attributes = useAttributesAndOwnableFields().data;
  const known = [...(attributes?.data ?? []), ...(attributes?.undeclared ?? [])].map(({ name }) => name);
  return (
    <Stack>
      <TagsInput
        label="Sources"
        description="Only events of these sources"
        placeholder={draft.sources.length === 0 ? 'All sources' : undefined}
        data={sources.map(({ name }) => name)}
        value={draft.sources}
        onChange={(names) => onDraft({ ...draft, sources: names })}
        error={problem('filter/sources')}
      />
      <TagsInput
        label="Changed fields"
        description="Created and updated accounts only if one of these fields changed"
        placeholder={draft.fields.length === 0 ? 'All fields' : undefined}
        data={known}
        value={draft.fields}
        onChange={(fields) => onDraft({ ...draft, fields })}
        error={problem('filter/fields')}
      />
      <ValueConditions
        conditions={draft.conditions}
        onConditions={(conditions) => onDraft({ ...draft, conditions })}
        known={known}
        error={problem('filter/values')}
      />
      <NumberInput
        label="Batch size"
        description="The most events in one message, from 1 to 100"
        value={draft.batchSize}
        onChange={(batchSize) => onDraft({ ...draft, batchSize })}
        allowDecimal={false}
        allowNegative={false}
        maw={280}
        error={problem('batch_size')}
      />
    </Stack>
  );
}
