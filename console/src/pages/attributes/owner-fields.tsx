import { Radio, Stack } from '@mantine/core';
import { fieldError } from '../../api/field-error';
import { SourceSelect } from '../../components/source-select';
import type { Draft } from './draft';

interface OwnerFieldsProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
  readonly error: Error | null;
}

/** Chooses the source that owns an attribute, and what happens to different values of other sources. */
export function OwnerFields({ draft, set, error }: OwnerFieldsProps) {
  return (
    <>
      <SourceSelect
        label="Owner"
        description="Only the owner can change the values. Equal values of other sources are no conflict."
        none="Every source"
        value={draft.owner}
        onSource={(owner) => set({ owner })}
        error={fieldError(error, 'owner')}
      />
      {draft.owner !== undefined && (
        <Radio.Group
          label="Different values of other sources"
          value={draft.others}
          onChange={(others) => set({ others: others as Draft['others'] })}
        >
          <Stack gap="sm" mt={6}>
            <Radio
              value="reject"
              label="Reject the record"
              description="It is rejected as if the attribute were read-only."
            />
            <Radio
              value="keep"
              label="Keep the stored value"
              description="Everything else of the record is stored, and the run counts the value as kept."
            />
          </Stack>
        </Radio.Group>
      )}
    </>
  );
}
