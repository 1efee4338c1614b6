import { useLeaveGuard } from './use-leave-guard';

/** Stays once something was changed: going back in the history to remove it takes a moment. */
export function LeaveGuard({ onAttempt }: { onAttempt: () => void }) {
  useLeaveGuard(onAttempt);
  return null;
}
