import type { FieldChange, Json } from '@account-sync/client';
import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { useFields } from '../../api/attributes';
import { AccountLink } from '../../components/account-link';
import { FieldName } from '../../components/field-name';
import { IconArrowRight } from '../../icons/icons.js';
import styles from './account.module.css';
import { TypedValue } from './typed-value';

/** Placeholder that the server stores for values of a deleted account. */
const ERASED = '[erased]';

interface FieldChangeProps {
  readonly change: FieldChange;
  /** Whether this change created the account, so that there is no previous value. */
  readonly isFirst: boolean;
}

export function FieldChangeLine({ change: { field, from, to }, isFirst }: FieldChangeProps) {
  return (
    <div className={styles.change}>
      <Text component="dt" size="sm" c="dimmed" className="breakable">
        <FieldName name={field} />
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

/** The value of a field in full. */
export function OneValue({ field, value }: { field: string; value: Json }) {
  const { attribute } = useFields()(field);
  if (value === ERASED) {
    return (
      <Text span inherit c="dimmed" fs="italic">
        deleted
      </Text>
    );
  }
  if (field === 'parent_account_id' && typeof value === 'string') return <AccountLink id={value} />;
  return <TypedValue value={value} attribute={attribute} />;
}
