import type { Attribute, Json } from '@account-sync/client';
import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { CheckTotals } from '../../api/sum-checks';
import { FieldValue } from '../../components/field-value';
import { SkeletonLines } from '../../components/skeleton-lines';

interface ExamplesProps {
  readonly name: string;
  /** Undefined for an undeclared field, by which accounts cannot be filtered. */
  readonly attribute?: Attribute;
  /** Undefined while loading. */
  readonly totals: CheckTotals | undefined;
}

/** Some of the stored values. Each links to the accounts with that value. */
export function Examples({ name, attribute, totals }: ExamplesProps) {
  if (totals === undefined) return <SkeletonLines lines={3} height={20} />;
  if (totals.examples.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {totals.isComplete ? 'No account has a value yet.' : 'No values found so far.'}
      </Text>
    );
  }
  const unfit = new Set(totals.unfit_examples.map(({ value }) => JSON.stringify(value)));
  return (
    <List listStyleType="none" size="sm" spacing={4} aria-label={`Examples of ${name}`}>
      {totals.examples.map((value) => {
        const text = JSON.stringify(value);
        const shown = <FieldValue value={value} attribute={attribute} />;
        return (
          <List.Item key={text}>
            {attribute !== undefined && !unfit.has(text) && isComplete(value) ? (
              <Anchor component={Link} href={accountsWith(name, value)} inherit>
                {shown}
              </Anchor>
            ) : (
              shown
            )}
          </List.Item>
        );
      })}
    </List>
  );
}

/** The server shortens long examples. A filter by a shortened value would find nothing. */
function isComplete(value: Json): boolean {
  return typeof value !== 'object' && !(typeof value === 'string' && value.length > 200);
}

function accountsWith(name: string, value: Json): string {
  return `/accounts?${new URLSearchParams({ attribute: `${name}:${value}` })}`;
}
