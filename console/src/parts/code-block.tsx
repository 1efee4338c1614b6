import { Box, Code, Group, ScrollArea } from '@mantine/core';
import { Fragment } from 'react';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  readonly text: string;
  /** What it is, for those who do not see it. */
  readonly label: string;
  readonly maxHeight?: number;
  /** Whether a long line goes on in the next, where there is little room. */
  readonly wraps?: boolean;
}

/** Text to be read or copied as it is. The button has a column of its own, so that it covers none of the text. */
export function CodeBlock({ text, label, maxHeight = 420, wraps = false }: CodeBlockProps) {
  return (
    <Group gap={0} wrap="nowrap" align="flex-start" className="code-block">
      <ScrollArea.Autosize
        mah={maxHeight}
        flex={1}
        miw={0}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <Code block bg="transparent" style={wraps ? { whiteSpace: 'pre-wrap' } : undefined}>
          {wraps ? <WholeWords text={text} /> : text}
        </Code>
      </ScrollArea.Autosize>
      <Box p={6}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </Box>
    </Group>
  );
}

/** A browser would also break behind a hyphen, and an option has two. */
function WholeWords({ text }: { text: string }) {
  return text.split(' ').map((word, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice, and none moves
    <Fragment key={place}>
      {place > 0 && ' '}
      <span style={{ whiteSpace: 'nowrap' }}>{word}</span>
    </Fragment>
  ));
}
