import { Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ChangeMany } from '../../../api/change-many';
import { formatNumber, plural } from '../../../components/format';
import { useLeaveGuard } from '../../../components/use-leave-guard';
import { ACTIONS, type Action } from './actions';

interface ChangeProgressProps {
  readonly change: ChangeMany;
  readonly action: Action;
  /** How many accounts the preview has found. */
  readonly matched: number;
}

export function ChangeProgress({ change, action, matched }: ChangeProgressProps) {
  const { request, progress } = change;
  const isPreview = request?.isDryRun !== false;
  const done = progress?.matched ?? 0;
  const share = isPreview ? 100 : (done / Math.max(matched, 1)) * 100;
  return (
    <Stack gap={6}>
      <Text size="sm" className="numbers" aria-live="polite">
        {isPreview ? 'Preparing the preview' : ACTIONS[action].doing}:{' '}
        {isPreview
          ? `${plural(done, 'account')} examined`
          : `${formatNumber(done)} of ${formatNumber(matched)}`}
      </Text>
      <Progress
        value={share}
        animated={isPreview}
        size="sm"
        aria-label={isPreview ? 'Progress of the preview' : 'Progress'}
      />
      {!isPreview && <StayNote />}
    </Stack>
  );
}

/** Accounts change only while the page is open. The back button does not leave it. */
function StayNote() {
  const [triedToLeave, setTriedToLeave] = useState(false);
  useLeaveGuard(() => setTriedToLeave(true));
  return (
    <>
      <Text size="xs" c="dimmed">
        If you close this dialog, it stops. What is done until then stays so.
      </Text>
      <Text size="sm" role="alert">
        {triedToLeave && 'Choose Stop before you leave this page.'}
      </Text>
    </>
  );
}
