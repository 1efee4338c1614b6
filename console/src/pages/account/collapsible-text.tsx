import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import styles from './account.module.css';

const COLLAPSED_CHARACTERS = 240;
const COLLAPSED_LINES = 4;

interface CollapsibleTextProps {
  readonly text: string;
  readonly isCode?: boolean;
}

/** A text with its line breaks. A long text is cut until the user expands it. */
export function CollapsibleText({ text, isCode = false }: CollapsibleTextProps) {
  const [isOpen, setOpen] = useState(false);
  const start = text.split('\n', COLLAPSED_LINES).join('\n').slice(0, COLLAPSED_CHARACTERS).trimEnd();
  const isLong = start.length < text.trimEnd().length;
  return (
    <>
      <Text span inherit ff={isCode ? 'monospace' : 'inherit'} className={styles.text}>
        {isLong && !isOpen ? `${start} …` : text}
      </Text>
      {isLong && (
        <Anchor
          component="button"
          type="button"
          inherit
          ml={6}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </Anchor>
      )}
    </>
  );
}
