import { Box, Button, Group, Text } from '@mantine/core';
import { formatShare, plural } from '../../components/format';
import classes from './attributes.module.css';
import { Expander } from './expander';
import { describeGuess, isDeclarable, type UndeclaredField } from './type-descriptions';
import { UndeclaredDetails } from './undeclared-details';

interface UndeclaredRowProps {
  readonly field: UndeclaredField;
  readonly total: number | undefined;
  readonly isOpen: boolean;
  readonly onOpen: (name: string | undefined) => void;
  readonly onDeclare: ((field: UndeclaredField) => void) | undefined;
}

export function UndeclaredRow({ field, total, isOpen, onOpen, onDeclare }: UndeclaredRowProps) {
  const { name, accounts, guess } = field;
  const canDeclare = isDeclarable(name);
  return (
    <Box py="sm" className={classes.field}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Box miw={0}>
          <Expander name={name} isOpen={isOpen} onOpen={onOpen} />
          <Text size="xs" c="dimmed" className={classes.indented}>
            {plural(accounts, 'account')}
            {total !== undefined && total > 0 && ` (${formatShare(Math.min(1, accounts / total))})`},{' '}
            {describeGuess(guess)}
            {!canDeclare && '; cannot be declared under this name'}
          </Text>
        </Box>
        {canDeclare && onDeclare !== undefined && (
          <Button
            variant="light"
            size="xs"
            style={{ flexShrink: 0 }}
            aria-label={`Declare ${name}`}
            onClick={() => onDeclare(field)}
          >
            Declare
          </Button>
        )}
      </Group>
      {isOpen && (
        <Box mt="sm" className={classes.indented}>
          <UndeclaredDetails field={field} total={total} />
        </Box>
      )}
    </Box>
  );
}
