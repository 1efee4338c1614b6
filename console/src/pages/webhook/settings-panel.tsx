import type { Webhook } from '@account-sync/client';
import { Button, Code, Group, SimpleGrid, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useSourceLabel } from '../../api/sources';
import { CopyButton } from '../../components/copy-button';
import { Fact } from '../../components/fact';
import { FieldName } from '../../components/field-name';
import { formatLocalShort, formatNumber } from '../../components/format';
import { Panel } from '../../components/panel';
import { Timestamp } from '../../components/timestamp';
import { useNow } from '../../components/use-now';
import { EVENT_TYPES } from '../webhooks/event-types';
import { filterValueText } from '../webhooks/form/filter-value';
import type { Dialog } from './dialogs';

interface SettingsPanelProps {
  readonly webhook: Webhook;
  readonly onDialog: (dialog: Dialog) => void;
}

export function SettingsPanel({ webhook, onDialog }: SettingsPanelProps) {
  const { id, url, description, events, filter, batch_size, cursor, created_at } = webhook;
  const labelOf = useSourceLabel();
  const { sources, fields, values } = filter;
  return (
    <Panel
      title="Settings"
      actions={
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => onDialog('rotate')}>
            Rotate secret
          </Button>
          <Button variant="default" size="xs" onClick={() => onDialog('edit')}>
            Edit
          </Button>
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" className="breakable">
        <Fact name="URL">{url}</Fact>
        <Fact name="Description">{description === '' ? 'None' : description}</Fact>
        <Fact name="Events">{events.length === EVENT_TYPES.length ? 'All events' : events.join(', ')}</Fact>
        <Fact name="Sources">{sources.length === 0 ? 'All sources' : sources.map(labelOf).join(', ')}</Fact>
        <Fact name="Changed fields">
          {fields.length === 0 && 'All fields'}
          {fields.map((field, i) => (
            <Fragment key={field}>
              {i > 0 && ', '}
              <FieldName name={field} />
            </Fragment>
          ))}
        </Fact>
        <Fact name="Values">
          {Object.keys(values).length === 0 && 'All values'}
          {Object.entries(values).map(([field, wanted]) => (
            <div key={field}>
              <FieldName name={field} />: {wanted.map(filterValueText).join(' or ')}
            </div>
          ))}
        </Fact>
        <Fact name="Batch size">{formatNumber(batch_size)}</Fact>
        <Fact name="Cursor">
          <Group gap={4}>
            <Code>{cursor}</Code>
            <CopyButton text={cursor} label="Copy the cursor" />
          </Group>
        </Fact>
        <Fact name="Secret">
          <Secret webhook={webhook} />
        </Fact>
        <Fact name="Created">
          <Timestamp at={created_at} />
          <Text size="xs" c="dimmed" ff="monospace">
            {id}
          </Text>
        </Fact>
      </SimpleGrid>
    </Panel>
  );
}

function Secret({ webhook: { previous_secret_until: until } }: { webhook: Webhook }) {
  const now = useNow();
  if (until === null || Date.parse(until) <= now) return 'Was shown once';
  return `The old secret is valid until ${formatLocalShort(until)}`;
}
