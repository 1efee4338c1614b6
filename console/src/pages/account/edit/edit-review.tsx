import type { EditResult } from '@account-sync/client';
import { Button, Stack, Text } from '@mantine/core';
import { useIsMissing } from '../../../api/account';
import { useFields } from '../../../api/attributes';
import { Caution } from '../../../components/caution';
import { ErrorState } from '../../../components/error-state';
import { type Leaving, StepFooter } from '../../../components/step-footer';
import { FieldChangeLine } from '../field-change-line';
import { DeletedNote } from './deleted-note';
import { StepTitle } from './step-title';

interface EditReviewProps {
  /** Of the dry run. */
  readonly result: EditResult;
  readonly error: Error | null;
  readonly isDeleted: boolean;
  readonly isSaving: boolean;
  readonly onBack: () => void;
  readonly onSave: () => void;
  readonly leaving: Leaving;
}

/** Shows what would be stored. */
export function EditReview({ result, error, isDeleted, isSaving, onBack, onSave, leaving }: EditReviewProps) {
  const find = useFields();
  const { changes, kept } = result;
  const message = isDeleted ? <DeletedNote /> : error !== null && <ErrorState error={error} retry={onSave} />;
  const isUnchanged = changes.length === 0;
  return (
    <>
      <Stack gap="sm">
        <StepTitle>Review change</StepTitle>
        <Text size="sm">
          {isUnchanged
            ? 'This changes nothing: the account has these values already.'
            : 'Nothing is stored yet. These values will change:'}
        </Text>
        {!isUnchanged && (
          <dl style={{ margin: 0 }}>
            {changes.map((change) => (
              <FieldChangeLine key={change.field} change={change} isFirst={false} />
            ))}
          </dl>
        )}
        <MissingParent changes={changes} />
        {kept.length > 0 && (
          <Text size="sm">
            Not changed, because another source owns the field:{' '}
            {kept.map((name) => find(name).label).join(', ')}.
          </Text>
        )}
      </Stack>
      <StepFooter leaving={leaving} message={message}>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        {!isUnchanged && (
          <Button onClick={onSave} loading={isSaving}>
            Save
          </Button>
        )}
      </StepFooter>
    </>
  );
}

/** No error: the parent may be sent later. */
function MissingParent({ changes }: Pick<EditResult, 'changes'>) {
  const to = changes.find(({ field }) => field === 'parent_account_id')?.to;
  const parent = typeof to === 'string' ? to : null;
  if (!useIsMissing(parent)) return null;
  return (
    <Caution title="The parent does not exist yet">
      <Text size="sm" className="breakable">
        No account has the id {parent}. You can save: the account is below its parent as soon as that one is
        stored. If the id is wrong, go back and correct it.
      </Text>
    </Caution>
  );
}
