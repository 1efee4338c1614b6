import type { Attribute, Json } from '@account-sync/client';
import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { CheckSum } from '../../api/add-up-checks';
import { FieldValue } from '../../parts/field-value';
import { LinesLoading } from '../../parts/lines-loading';

interface ExamplesProps {
  readonly name: string;
  /** Undefined where it is not declared: accounts cannot be listed by it then. */
  readonly type?: Attribute['type'];
  /** Undefined while it is not known. */
  readonly sum: CheckSum | undefined;
}

/** Some of the values; each leads to the accounts that hold it. */
export function Examples({ name, type, sum }: ExamplesProps) {
  if (sum === undefined) return <LinesLoading lines={3} height={20} />;
  if (sum.examples.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No account holds a value{sum.isWhole ? ' yet' : ' so far'}.
      </Text>
    );
  }
  const unfit = new Set(sum.unfit_examples.map(({ value }) => JSON.stringify(value)));
  return (
    <List listStyleType="none" size="sm" spacing={4} aria-label={`Examples of ${name}`}>
      {sum.examples.map((value) => {
        const text = JSON.stringify(value);
        const shown = <FieldValue value={value} type={type} />;
        return (
          <List.Item key={text}>
            {type !== undefined && !unfit.has(text) && isWhole(value) ? (
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

/** Longer ones come cut, and would find nothing. */
function isWhole(value: Json): boolean {
  return typeof value !== 'object' && !(typeof value === 'string' && value.length > 200);
}

function accountsWith(name: string, value: Json): string {
  return `/accounts?${new URLSearchParams({ attribute: `${name}:${value}` })}`;
}
