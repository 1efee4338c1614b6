import { Autocomplete, Group, NumberInput, Paper, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { fieldError } from '../../api/field-error';
import type { Draft } from './draft';

interface PresentationFieldsProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
  /** Groups that other attributes are in. */
  readonly groups: readonly string[];
  readonly error: Error | null;
}

/** How people see an attribute. Systems go on sending its name. */
export function PresentationFields({ draft, set, groups, error }: PresentationFieldsProps) {
  return (
    <Paper p="md" bg="var(--mantine-color-default)" component="section" aria-labelledby="presentation">
      <Stack gap="sm">
        <Title order={3} size="h6" id="presentation">
          Presentation
        </Title>
        <TextInput
          label="Label"
          description="Shown instead of the name"
          placeholder={draft.name}
          value={draft.label}
          onChange={(event) => set({ label: event.currentTarget.value })}
          error={fieldError(error, 'label')}
          autoComplete="off"
        />
        <Textarea
          label="Description"
          description="In the tooltip of the label"
          value={draft.description}
          onChange={(event) => set({ description: event.currentTarget.value.replaceAll('\n', ' ') })}
          error={fieldError(error, 'description')}
          autosize
          minRows={1}
          maxRows={6}
        />
        <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
          <Autocomplete
            label="Group"
            description="The heading on the page of an account"
            data={groups}
            value={draft.group}
            onChange={(group) => set({ group })}
            error={fieldError(error, 'group')}
            miw={200}
          />
          <NumberInput
            label="Position"
            description="Low ones come first"
            value={draft.position}
            onChange={(position) => set({ position })}
            error={fieldError(error, 'position')}
            min={0}
            max={9_999}
            allowDecimal={false}
            miw={110}
          />
          <TextInput
            label="Unit"
            description="After values: seats"
            value={draft.unit}
            onChange={(event) => set({ unit: event.currentTarget.value })}
            error={fieldError(error, 'unit')}
            autoComplete="off"
            miw={110}
          />
        </Group>
      </Stack>
    </Paper>
  );
}
