import type { FieldChange, Json } from '@account-sync/client';
import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useAttributes } from '../../api/attributes';
import { AccountLink } from '../../parts/account-link';
import styles from './account.module.css';
import { TypedValue } from './typed-value';

/** What stands in the place of a value that was erased with its account. */
const ERASED = '[erased]';

interface FieldChangeProps {
  readonly change: FieldChange;
  /** Before it there was no account. */
  readonly isFirst: boolean;
}

export function FieldChangeLine({ change: { field, from, to }, isFirst }: FieldChangeProps) {
  return (
    <div className={styles.change}>
      <Text component="dt" size="sm" c="dimmed" className="breakable">
        {field}
      </Text>
      <Text component="dd" m={0} size="sm">
        <Group gap="0 8px" align="flex-start">
          {!isFirst && (
            <>
              <Box c="dimmed" miw={0}>
                <OneValue field={field} value={from} />
              </Box>
              <IconArrowRight size={14} aria-hidden style={{ marginTop: 3, flexShrink: 0 }} />
              <VisuallyHidden>to</VisuallyHidden>
            </>
          )}
          <Box miw={0}>
            <OneValue field={field} value={to} />
          </Box>
        </Group>
      </Text>
    </div>
  );
}

function OneValue({ field, value }: { field: string; value: Json }) {
  const type = useAttributes().data?.data.find(({ name }) => name === field)?.type;
  if (value === ERASED) {
    return (
      <Text span inherit c="dimmed" fs="italic">
        erased
      </Text>
    );
  }
  if (field === 'parent_account_id' && typeof value === 'string') return <AccountLink id={value} />;
  return <TypedValue value={value} type={type} />;
}
