import { Autocomplete, Button, CloseButton, Group, Input, Stack } from '@mantine/core';
import { TagsInput } from '../../../components/tags-input';
import { IconPlus } from '../../../icons/icons.js';
import type { ValueCondition } from './webhook-draft';

interface ValueConditionsProps {
  readonly conditions: readonly ValueCondition[];
  readonly onConditions: (conditions: readonly ValueCondition[]) => void;
  /** Names of fields to suggest. */
  readonly known: readonly string[];
  readonly error: string | undefined;
}

/** Fields of accounts, each with the values that an account may have. */
export function ValueConditions({ conditions, onConditions, known, error }: ValueConditionsProps) {
  const add = () => {
    const key = Math.max(-1, ...conditions.map((condition) => condition.key)) + 1;
    onConditions([...conditions, { key, field: '', values: [] }]);
  };
  const set = (key: number, part: Partial<ValueCondition>) =>
    onConditions(conditions.map((one) => (one.key === key ? { ...one, ...part } : one)));
  return (
    <Input.Wrapper
      component="fieldset"
      bd={0}
      p={0}
      m={0}
      label="Values"
      labelElement="div"
      labelProps={{ component: 'legend', p: 0 }}
      description='Only accounts that have one of the values in each of these fields. Deletions are always sent. Quote a text that looks like a number, such as "5".'
      error={error}
    >
      <Stack gap="sm" mt="xs" align="flex-start">
        {conditions.map(({ key, field, values }, index) => (
          <Group key={key} gap="xs" align="flex-end" wrap="nowrap" w="100%">
            <Group gap="xs" align="flex-start" flex={1} grow preventGrowOverflow={false}>
              <Autocomplete
                label="Field"
                placeholder="custom_Tier"
                data={known}
                value={field}
                onChange={(next) => set(key, { field: next })}
                miw={140}
              />
              <TagsInput
                label="One of the values"
                placeholder={values.length === 0 ? 'gold' : undefined}
                splitChars={['\n']}
                value={values}
                onChange={(next) => set(key, { values: next })}
                miw={180}
              />
            </Group>
            <CloseButton
              size="lg"
              aria-label={
                field === '' ? `Remove condition ${index + 1}` : `Remove the condition for ${field}`
              }
              onClick={() => onConditions(conditions.filter((one) => one.key !== key))}
            />
          </Group>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          Add a field
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
