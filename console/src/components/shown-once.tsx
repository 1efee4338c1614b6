import { Button, CopyButton, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconCheck, IconCopy } from '../icons/icons.js';
import { Caution } from './caution';
import { useLeaveGuard } from './use-leave-guard';

interface ShownOnceProps {
  /** Such as “key” or “secret”. */
  readonly what: string;
  readonly value: string;
  /** Where to store it. */
  readonly advice: string;
  /** What the user does with it before the dialog closes. */
  readonly step?: { readonly verb: string; readonly past: string };
  /** Details below the copy button. */
  readonly children: ReactNode;
  readonly onStored: () => void;
}

/** Shows a key or secret once. It closes only when the user confirms that it is stored. */
export function ShownOnce(props: ShownOnceProps) {
  const { what, value, advice, step = { verb: 'Store', past: 'stored' }, children, onStored } = props;
  const [hasTriedToLeave, setTriedToLeave] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  useLeaveGuard(() => setTriedToLeave(true));
  useEffect(() => copyButton.current?.focus(), []);
  return (
    <Stack>
      <Caution title={`The ${what} is shown only once`}>{advice}</Caution>
      <Paper p="sm" bg="var(--mantine-color-default)">
        <Text ff="monospace" className="breakable">
          {value}
        </Text>
      </Paper>
      <CopyButton value={value} timeout={3000}>
        {({ copied, copy }) => (
          <Button
            ref={copyButton}
            variant="default"
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : `Copy the ${what}`}
          </Button>
        )}
      </CopyButton>
      {children}
      {hasTriedToLeave && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          This dialog stays open so that the {what} is not lost. {step.verb} the {what} first.
        </Text>
      )}
      <Button onClick={onStored}>
        I have {step.past} the {what}
      </Button>
    </Stack>
  );
}
