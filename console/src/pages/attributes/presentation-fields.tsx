import { Autocomplete, Group, NumberInput, Paper, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { fieldError } from '../../api/field-error';
import type { Draft } from './draft';

interface PresentationFieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** Groups that other attributes are in. */
  readonly groups: readonly string[];
  readonly error: Error | null;
}

/** How people see an attribute. Systems go on sending its name. */
export function PresentationFields({ draft, onDraft, groups, error }: PresentationFieldsProps) {
  const set = (part: Partial<Draft>) => onDraft({ ...draft, ...part });
  return (
    <Paper p="md" bg="var(--mantine-color-default)" component="section" aria-labelledby="presentation">
      <Stack gap="sm">
        <Title order={3} size="h6" id="presentation">
          Presentation
        </Title>
        <Group gap="sm" align="flex-start" wrap="nowrap">
          <TextInput
            label="Label"
            description="Shown instead of the name"
            value={draft.label}
            onChange={(event) => set({ label: event.currentTarget.value })}
            error={fieldError(error, 'label')}
            autoComplete="off"
            flex={2}
          />
          <TextInput
            label="Unit"
            description="After values"
            placeholder="seats"
            value={draft.unit}
            onChange={(event) => set({ unit: event.currentTarget.value })}
            error={fieldError(error, 'unit')}
            autoComplete="off"
            flex={1}
          />
        </Group>
        <Group gap="sm" align="flex-start" wrap="nowrap">
          <Autocomplete
            label="Group"
            description="Heading on account pages"
            data={groups}
            value={draft.group}
            onChange={(group) => set({ group })}
            error={fieldError(error, 'group')}
            flex={2}
          />
          <NumberInput
            label="Position"
            description="Low ones first"
            value={draft.position}
            onChange={(position) => set({ position })}
            error={fieldError(error, 'position')}
            min={0}
            max={9_999}
            allowDecimal={false}
            hideControls
            flex={1}
          />
        </Group>
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
      </Stack>
    </Paper>
  );
}
