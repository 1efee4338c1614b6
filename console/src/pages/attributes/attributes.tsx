import type { Attribute, Attributes as Schema } from '@account-sync/client';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useAccountTotal } from '../../api/account-total';
import { useAttributesAndOwnableFields, useFields } from '../../api/attributes';
import { useScopes } from '../../api/session';
import { DebouncedInput } from '../../components/debounced-input';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { SavedNote } from '../../components/saved-note';
import { SkeletonLines } from '../../components/skeleton-lines';
import { IconPlus, IconSearch } from '../../icons/icons.js';
import { DeclareDialog, type Subject } from './declare-dialog';
import { DeclaredSection } from './declared-section';
import { RemoveDeclarationDialog } from './remove-declaration-dialog';
import { UndeclaredSection } from './undeclared-section';
import { attributesFound, useView } from './use-view';

/** The fields of accounts: declared attributes, and fields without a declaration. */
export default function Attributes() {
  const attributes = useAttributesAndOwnableFields();
  const { mayAdmin } = useScopes();
  const [subject, setSubject] = useState<Subject>();
  return (
    <>
      <PageHead
        title="Attributes"
        description="The fields of accounts, the types of their values, and how many accounts use them."
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
      <QueryView query={attributes} loading={<SkeletonLines lines={10} height={44} />}>
        {(schema) => <SchemaView schema={schema} subject={subject} onSubject={setSubject} />}
      </QueryView>
    </>
  );
}

interface SchemaViewProps {
  readonly schema: Schema;
  /** The attribute that is being declared or edited. */
  readonly subject: Subject | undefined;
  readonly onSubject: (subject: Subject | undefined) => void;
}

interface Done {
  readonly name: string;
  /** Such as “was changed.” */
  readonly what: string;
}

function SchemaView({ schema, subject, onSubject }: SchemaViewProps) {
  const view = useView();
  const { mayAdmin } = useScopes();
  const total = useAccountTotal().data;
  const [removing, setRemoving] = useState<Attribute>();
  const find = useFields();
  const [done, setDone] = useState<Done>();
  const note = done && `${find(done.name).label} ${done.what}`;
  const isListed = attributesFound(schema.data, view.search).some(({ name }) => name === done?.name);
  const onDone = (name: string, what: string, open: string | undefined) => {
    onSubject(undefined);
    setRemoving(undefined);
    setDone({ name, what });
    view.onOpen(open);
  };
  const actions = {
    onEdit: (attribute: Attribute) => {
      setDone(undefined);
      onSubject({ kind: 'declared', attribute });
    },
    onRemove: setRemoving,
  };
  return (
    <Stack gap="lg">
      <Stack gap={0}>
        <DebouncedInput
          aria-label="Search by name"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} aria-hidden />}
          maw={420}
          value={view.search}
          onValue={view.onSearch}
        />
        <SavedNote>{isListed ? undefined : note}</SavedNote>
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
        saved={done && note !== undefined ? { name: done.name, note } : undefined}
      />
      {subject !== undefined && (
        <DeclareDialog
          subject={subject}
          declared={schema.data}
          total={total}
          onClose={() => onSubject(undefined)}
          onDone={(name) =>
            onDone(name, subject.kind === 'declared' ? 'was changed.' : 'was declared.', name)
          }
        />
      )}
      {removing !== undefined && (
        <RemoveDeclarationDialog
          attribute={removing}
          onClose={() => setRemoving(undefined)}
          onDone={() => onDone(removing.name, 'is no longer declared.', undefined)}
        />
      )}
    </Stack>
  );
}
