import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '../icons/icons.js';

interface ExpandButtonProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** The hidden content, such as “25 ids”. */
  readonly what: string;
}

export function ExpandButton({ isOpen, onToggle, what }: ExpandButtonProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      mt="xs"
      ml={-8}
      leftSection={<Chevron size={16} aria-hidden />}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {isOpen ? 'Hide' : 'Show'} {what}
    </Button>
  );
}
