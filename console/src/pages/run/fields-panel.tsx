import type { RunDetails } from '@account-sync/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFirstChangesOfRun } from '../../api/changes';
import { AccountLink } from '../../components/account-link';
import { FieldName } from '../../components/field-name';
import { plural } from '../../components/format';
import { FromTo } from '../../components/from-to';
import { Panel } from '../../components/panel';
import { changesIn } from '../../components/run-counts';
import css from './run.module.css';
import { type Sample, samplesByField } from './samples-by-field';

/** Samples are taken from this many changes. */
const EXAMINED = 200;
const FIRST_SHOWN = 15;

/** How often each field changed, with samples. */
export function FieldsPanel({ run }: { run: RunDetails }) {
  const { id, fields } = run;
  const [showsAll, setShowsAll] = useState(false);
  const samples = samplesByField(useFirstChangesOfRun(id, changesIn(run), EXAMINED).data ?? []);
  const shown = showsAll ? fields : fields.slice(0, FIRST_SHOWN);
  return (
    <Panel title="What changed, by field">
      {fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {run.undo === null
            ? 'This run has changed no field so far. Records that equal what is stored count as unchanged.'
            : 'This undo has changed no field so far. Accounts that it has archived or restored keep their values.'}
        </Text>
      )}
      <ul className="row-list">
        {shown.map(({ field, changes }) => (
          <li key={field} className={css.columns}>
            <div>
              <Text size="sm" fw={600} className="breakable">
                <FieldName name={field} />
              </Text>
              <Text size="xs" c="dimmed" className="numbers">
                {plural(changes, 'change')}
              </Text>
            </div>
            <Samples samples={samples.get(field) ?? []} />
          </li>
        ))}
      </ul>
      {fields.length > shown.length && (
        <Group mt="sm">
          <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
            Show all {plural(fields.length, 'field')}
          </Button>
        </Group>
      )}
    </Panel>
  );
}

function Samples({ samples }: { samples: readonly Sample[] }) {
  return (
    <Stack gap={2}>
      {samples.map(({ change: { cursor, account_id, kind }, changed }) => (
        <Group key={cursor} gap="0 8px" fz="sm">
          <AccountLink id={account_id} />
          <Text size="sm" className="breakable">
            {kind === 'created' && 'created with '}
            <FromTo changed={changed} isNew={kind === 'created'} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
