import type { Attribute, Attributes as Schema } from '@account-sync/client';
import { Button, Stack } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useAccountTotal } from '../../api/account-total';
import { useAttributes } from '../../api/attributes';
import { useScopes } from '../../api/session';
import { LateInput } from '../../parts/late-input';
import { LinesLoading } from '../../parts/lines-loading';
import { PageHead } from '../../parts/page-head';
import { QueryView } from '../../parts/query-view';
import { SavedNote } from '../../parts/saved-note';
import { DeclareDialog, type Subject } from './declare-dialog';
import { DeclaredSection } from './declared-section';
import { TakeBackDialog } from './take-back-dialog';
import { UndeclaredSection } from './undeclared-section';
import { useView } from './use-view';

/** The fields of accounts: those with a declared type, and those that came without one. */
export default function Attributes() {
  const attributes = useAttributes();
  const { mayAdmin } = useScopes();
  const [subject, setSubject] = useState<Subject>();
  return (
    <>
      <PageHead
        title="Attributes"
        description="The fields that accounts carry, the types their values have to fit, and how much they are used."
        actions={
          mayAdmin && (
            <Button
              leftSection={<IconPlus size={17} aria-hidden />}
              onClick={() => setSubject({ kind: 'new' })}
            >
              Declare an attribute
            </Button>
          )
        }
      />
      <QueryView query={attributes} loading={<LinesLoading lines={10} height={44} />}>
        {(schema) => <SchemaView schema={schema} subject={subject} onSubject={setSubject} />}
      </QueryView>
    </>
  );
}

interface SchemaViewProps {
  readonly schema: Schema;
  /** What is being declared or changed. */
  readonly subject: Subject | undefined;
  readonly onSubject: (subject: Subject | undefined) => void;
}

function SchemaView({ schema, subject, onSubject }: SchemaViewProps) {
  const view = useView();
  const { mayAdmin } = useScopes();
  const total = useAccountTotal().data;
  const [leaving, setLeaving] = useState<Attribute>();
  const [note, setNote] = useState<string>();
  const onDone = (text: string, open: string | undefined) => {
    onSubject(undefined);
    setLeaving(undefined);
    setNote(text);
    view.onOpen(open);
  };
  const actions = {
    onEdit: (attribute: Attribute) => onSubject({ kind: 'declared', attribute }),
    onTakeBack: setLeaving,
  };
  return (
    <Stack gap="lg">
      <Stack gap={0}>
        <LateInput
          aria-label="Search by name"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} aria-hidden />}
          maw={420}
          value={view.search}
          onValue={view.onSearch}
        />
        <SavedNote>{note}</SavedNote>
      </Stack>
      <UndeclaredSection
        fields={schema.undeclared}
        total={total}
        view={view}
        onDeclare={mayAdmin ? (field) => onSubject({ kind: 'undeclared', field }) : undefined}
      />
      <DeclaredSection
        attributes={schema.data}
        total={total}
        view={view}
        actions={mayAdmin ? actions : undefined}
      />
      {subject !== undefined && (
        <DeclareDialog
          subject={subject}
          declared={schema.data}
          total={total}
          onClose={() => onSubject(undefined)}
          onDone={(name) =>
            onDone(`${name} is ${subject.kind === 'declared' ? 'changed' : 'declared'}.`, name)
          }
        />
      )}
      {leaving !== undefined && (
        <TakeBackDialog
          attribute={leaving}
          onClose={() => setLeaving(undefined)}
          onDone={() => onDone(`${leaving.name} is no longer declared.`, undefined)}
        />
      )}
    </Stack>
  );
}
