import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { useReplay } from '../../api/webhooks';
import { ErrorState } from '../../components/error-state';
import type { DialogProps } from './dialogs';

type Start = 'since' | 'after';

/** Sends events again, from a moment or a cursor on. */
export function ReplayWebhook({ webhook, onClose, onDone }: DialogProps) {
  const [start, setStart] = useState<Start>('since');
  const [time, setTime] = useState('');
  const [cursor, setCursor] = useState('');
  const replay = useReplay(webhook.id);
  const other = otherError(replay.error, ['since', 'after']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A time without an offset is parsed as local time.
    const from = start === 'since' ? { since: new Date(time).toISOString() } : { after: cursor.trim() };
    replay.mutate(from, { onSuccess: () => onDone('Events are being sent again.') });
  };
  return (
    <Modal opened onClose={onClose} title="Replay events" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Everything from there on is sent again in order, in messages with new ids, also what the receiver
            has taken already. Changes that are not kept any more are missing.
            {webhook.state !== 'active' && ' The webhook is resumed.'}
          </Text>
          <Radio.Group
            label="From"
            value={start}
            onChange={(next) => {
              setStart(next as Start);
              replay.reset();
            }}
          >
            <Group mt="xs">
              <Radio value="since" label="A moment" />
              <Radio value="after" label="A cursor" />
            </Group>
          </Radio.Group>
          {start === 'since' ? (
            <TextInput
              type="datetime-local"
              label="Time"
              description="In your time zone. Some events of the seconds before it may be sent, too."
              value={time}
              onChange={(event) => setTime(event.currentTarget.value)}
              error={fieldError(replay.error, 'since')}
            />
          ) : (
            <TextInput
              label="Cursor"
              description="Of the last event that was processed. Sending begins with the event after it."
              placeholder={webhook.cursor}
              value={cursor}
              onChange={(event) => {
                setCursor(event.currentTarget.value);
                replay.reset();
              }}
              error={fieldError(replay.error, 'after')}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          {other && <ErrorState error={other} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={replay.isPending}
              disabled={(start === 'since' ? time : cursor.trim()) === ''}
            >
              Send again
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
