import { Text, UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { IconChevronRight } from '../../icons/icons.js';
import classes from './attributes.module.css';

interface ExpanderProps {
  readonly name: string;
  readonly label?: string | null;
  readonly isOpen: boolean;
  readonly onOpen: (name: string | undefined) => void;
  /** Shown in the element with `SAVED_ID`. When it appears, the field is shown and has the focus. */
  readonly note?: string | undefined;
}

export const SAVED_ID = 'saved';

/** The label and the name of a field, as a button that shows its details. */
export function Expander({ name, label = null, isOpen, onOpen, note }: ExpanderProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (note === undefined) return;
    button.current?.focus({ preventScroll: true });
    button.current?.scrollIntoView({ block: 'center' });
  }, [note]);
  return (
    <UnstyledButton
      ref={button}
      aria-describedby={note === undefined ? undefined : SAVED_ID}
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
