import { Box, Code, Group, ScrollArea } from '@mantine/core';
import { Fragment } from 'react';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  readonly text: string;
  /** Describes the text to screen readers. */
  readonly label: string;
  readonly maxHeight?: number;
  /** Whether long lines wrap instead of scrolling. */
  readonly wraps?: boolean;
}

/** Text to read or copy. The copy button has its own column, so that it covers none of the text. */
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
          {wraps ? <UnbrokenWords text={text} /> : text}
        </Code>
      </ScrollArea.Autosize>
      <Box p={6}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </Box>
    </Group>
  );
}

/** Browsers also break lines after a hyphen, which would split an option such as `--scope`. */
function UnbrokenWords({ text }: { text: string }) {
  return text.split(' ').map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice, and the order never changes
    <Fragment key={index}>
      {index > 0 && ' '}
      <span style={{ whiteSpace: 'nowrap' }}>{word}</span>
    </Fragment>
  ));
}
