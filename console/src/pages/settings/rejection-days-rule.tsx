import { plural } from '../../parts/format';
import { DaysRule } from './days-rule';

export function RejectionDaysRule({ current }: { current: number | null }) {
  return (
    <DaysRule
      title="Refusals"
      description="For how long refused records can be looked at."
      field="rejection_days"
      current={current}
      most={90}
      suggested={30}
      none={{
        label: 'As long as the server says',
        description: '7 days, where whoever runs the service has set nothing else.',
      }}
      some={{
        label: 'For some days',
        description: 'Up to 90. The newest 1,000 are kept at most.',
      }}
      saved={(days) => `Saved: refusals can be looked at ${periodText(days)}.`}
      ask={(days) => ({
        action: 'Change it',
        text: `Refusals will be kept ${periodText(days)}. Older ones are removed for good.`,
      })}
    />
  );
}

function periodText(days: number | null): string {
  return days === null ? 'for as long as the server says' : `for ${plural(days, 'day')}`;
}
