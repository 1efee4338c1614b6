import { ActionIcon, Box, Paper, Text, Title, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFields } from '../../api/attributes';
import { FieldName } from '../../components/field-name';
import { useQueryParameters } from '../../components/use-url';
import { IconHistory } from '../../icons/icons.js';
import styles from './account.module.css';

interface FieldGroupProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function FieldGroup({ title, note, children }: FieldGroupProps) {
  return (
    <Paper component="section" aria-label={`${title} fields`} px="md" py="sm">
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      {note !== undefined && (
        <Text size="sm" c="dimmed" mb={4}>
          {note}
        </Text>
      )}
      <dl className={styles.fields}>{children}</dl>
    </Paper>
  );
}

interface FieldLineProps {
  readonly name: string;
  /** Its declared type. */
  readonly kind?: string | undefined;
  /** Whether to link to the history of the field. */
  readonly hasHistory?: boolean;
  readonly children: ReactNode;
}

export function FieldLine({ name, kind, hasHistory = false, children }: FieldLineProps) {
  const [, change] = useQueryParameters();
  const historyOf = `History of ${useFields()(name).label}`;
  return (
    <div className={styles.field}>
      <Text component="dt" size="sm" className="breakable">
        <FieldName name={name} />{' '}
        {kind !== undefined && (
          <Text span size="xs" c="dimmed" ml={4}>
            {kind}
          </Text>
        )}
      </Text>
      <Text component="dd" size="sm" className={`breakable ${styles.value}`}>
        <Box miw={0}>{children}</Box>
        {hasHistory && (
          <Tooltip label={historyOf}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={historyOf}
              onClick={() => change({ tab: 'history', field: name })}
            >
              <IconHistory size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </Text>
    </div>
  );
}
