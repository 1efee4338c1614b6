import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import styles from './account.module.css';

const FOLDED_LETTERS = 240;
const FOLDED_LINES = 4;

interface FoldedTextProps {
  readonly text: string;
  readonly isCode?: boolean;
}

/** A text as it is, lines included; of a long one the beginning, until more is asked for. */
export function FoldedText({ text, isCode = false }: FoldedTextProps) {
  const [isOpen, setOpen] = useState(false);
  const start = text.split('\n', FOLDED_LINES).join('\n').slice(0, FOLDED_LETTERS).trimEnd();
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
