import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '../../icons/icons.js';
import classes from './attributes.module.css';

interface ExpanderProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onOpen: (name: string | undefined) => void;
}

/** The name of a field as a button that shows its details. */
export function Expander({ name, isOpen, onOpen }: ExpanderProps) {
  return (
    <UnstyledButton
      className={classes.expander}
      aria-expanded={isOpen}
      onClick={() => onOpen(isOpen ? undefined : name)}
    >
      <IconChevronRight size={16} className={classes.chevron} aria-hidden />
      <Text span size="sm" fw={600} className="breakable">
        {name}
      </Text>
    </UnstyledButton>
  );
}
