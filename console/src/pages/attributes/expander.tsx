import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '../../icons/icons.js';
import classes from './attributes.module.css';

interface ExpanderProps {
  readonly name: string;
  readonly label?: string | null;
  readonly isOpen: boolean;
  readonly onOpen: (name: string | undefined) => void;
}

/** The label and the name of a field, as a button that shows its details. */
export function Expander({ name, label = null, isOpen, onOpen }: ExpanderProps) {
  return (
    <UnstyledButton
      className={classes.expander}
      aria-expanded={isOpen}
      onClick={() => onOpen(isOpen ? undefined : name)}
    >
      <IconChevronRight size={16} className={classes.chevron} aria-hidden />
      <Text span size="sm" fw={600} className="breakable">
        {label === null ? (
          name
        ) : (
          <>
            <Text span inherit me={4}>
              {label}
            </Text>{' '}
            <Text span size="xs" c="dimmed">
              {name}
            </Text>
          </>
        )}
      </Text>
    </UnstyledButton>
  );
}
