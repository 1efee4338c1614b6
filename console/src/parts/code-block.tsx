import { Box, Code, ScrollArea } from '@mantine/core';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  readonly text: string;
  /** What it is, for those who do not see it. */
  readonly label: string;
  readonly maxHeight?: number;
}

/** Text to be read or copied as it is. */
export function CodeBlock({ text, label, maxHeight = 420 }: CodeBlockProps) {
  return (
    <Box pos="relative">
      <ScrollArea.Autosize
        mah={maxHeight}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <Code block pr={44}>
          {text}
        </Code>
      </ScrollArea.Autosize>
      <Box pos="absolute" top={6} right={10}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}
