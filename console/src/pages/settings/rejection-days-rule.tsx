import { plural } from '../../components/format';
import { DaysRule } from './days-rule';

export function RejectionDaysRule({ current }: { current: number | null }) {
  return (
    <DaysRule
      title="Rejections"
      description="How long rejected records are kept."
      field="rejection_days"
      current={current}
      max={90}
      suggested={30}
      none={{
        label: 'Server default',
        description: '7 days, unless the operator of the service has set another value.',
      }}
      some={{
        label: 'Limited number of days',
        description: 'Up to 90 days. At most the newest 1,000 rejections are kept.',
      }}
      saved={(days) => `Saved. Rejections are kept ${periodText(days)}.`}
      ask={(days) => ({
        action: 'Save',
        text: `Rejections will be kept ${periodText(days)}. Older ones are removed permanently.`,
      })}
    />
  );
}

function periodText(days: number | null): string {
  return days === null ? 'for the server’s default number of days' : `for ${plural(days, 'day')}`;
}
