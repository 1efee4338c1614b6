import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';

interface FoldButtonProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** What is folded, as in: 25 ids. */
  readonly what: string;
}

export function FoldButton({ isOpen, onToggle, what }: FoldButtonProps) {
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
