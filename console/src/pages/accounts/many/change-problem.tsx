import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError } from '../../../api/call';
import type { ChangeMany } from '../../../api/change-many';
import { plural } from '../../../components/format';
import { IconAlertTriangle } from '../../../icons/icons.js';
import { ACTIONS, type Action } from './actions';
import { UndoHint } from './change-result';
import { changedBy } from './changed-by';

interface ChangeProblemProps {
  readonly change: ChangeMany;
  readonly action: Action;
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onPreview: () => void;
}

/** Why a preview or a change has ended, and what to do. */
export function ChangeProblem({ change, action, error, onRetry, onPreview }: ChangeProblemProps) {
  const { request, progress } = change;
  const isPreview = request?.isDryRun !== false;
  const isGrown = error instanceof ApiError && error.code === 'too_many_matching';
  const mayRetry = !(error instanceof ApiError) || error.isTransient;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const changed = progress === undefined ? 0 : changedBy(progress);
  const { done, verb } = ACTIONS[action];
  return (
    <Alert
      color={isPreview ? 'red' : 'orange'}
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={isPreview ? 'There is no preview' : 'Not all accounts are done'}
    >
      <Text size="sm" className="breakable">
        {error.message}
        {isPreview && mayRetry && ' Nothing was stored. Try again.'}
        {!isPreview && (
          <>
            {' '}
            {changed > 0 &&
              `At least ${plural(changed, 'account')} ${changed === 1 ? 'was' : 'were'} ${done}.`}
            {progress !== undefined && progress.run_id !== null && <UndoHint runId={progress.run_id} />}
            {mayRetry &&
              ` To ${verb.toLowerCase()} the rest, choose Continue. Accounts that are done stay so.`}
            {isGrown && ' Look at a new preview before you go on.'}
          </>
        )}
      </Text>
      <Group mt="xs" gap="sm">
        {(mayRetry || isGrown) && (
          <Button size="xs" variant="default" onClick={isGrown ? onPreview : onRetry}>
            {isGrown ? 'Show a new preview' : isPreview ? 'Try again' : 'Continue'}
          </Button>
        )}
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request {requestId}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
