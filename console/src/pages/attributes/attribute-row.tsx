import type { Attribute } from '@account-sync/client';
import { Badge, Box, Group, Table, Text } from '@mantine/core';
import { isOwnableField } from '../../api/attributes';
import { useSourceLabel } from '../../api/sources';
import { plural } from '../../components/format';
import { StatusLine } from '../../components/status-line';
import { type Actions, AttributeDetails } from './attribute-details';
import classes from './attributes.module.css';
import { Expander, SAVED_ID } from './expander';
import { IndexState, indexText } from './index-state';
import { Usage } from './usage';

interface AttributeRowProps {
  readonly attribute: Attribute;
  readonly total: number | undefined;
  readonly isOpen: boolean;
  readonly onOpen: (name: string | undefined) => void;
  readonly actions: Actions | undefined;
  /** Confirms that it was saved, and moves the focus to it. */
  readonly note: string | undefined;
}

/** On a phone, the type and all other details are below the name. */
export function AttributeRow({ attribute, total, isOpen, onOpen, actions, note }: AttributeRowProps) {
  const { name, type, choices, index, accounts } = attribute;
  // The server returns no count before it was owned, and it cannot be indexed.
  const isField = isOwnableField(attribute);
  const typeText = type === 'choice' ? `choice of ${choices.length}` : type;
  const marks = [attribute.built_in && 'built in', attribute.read_only && 'read-only'].filter(
    (mark) => mark !== false,
  );
  const ownerMarks = ownerMarksOf(attribute, useSourceLabel());
  const indexMarks = index === 'none' ? [] : [indexText(attribute).toLowerCase()];
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row" fw="normal" pr="sm">
          <Group gap={8}>
            <Expander name={name} label={attribute.label} isOpen={isOpen} onOpen={onOpen} note={note} />
            {marks.map((mark) => (
              <Badge key={mark} variant="default" size="sm" fw={500} visibleFrom="sm">
                {mark}
              </Badge>
            ))}
            {ownerMarks.length > 0 && (
              <Text span size="xs" c="dimmed" visibleFrom="sm" className="breakable">
                {ownerMarks.join(', ')}
              </Text>
            )}
          </Group>
          <Text size="xs" c="dimmed" hiddenFrom="sm" className={classes.indented}>
            {[typeText, ...marks, ...indexMarks, ...ownerMarks].join(', ')}
          </Text>
          {note !== undefined && (
            <Box id={SAVED_ID} mt={4} className={classes.indented}>
              <StatusLine>{note}</StatusLine>
            </Box>
          )}
        </Table.Th>
        <Table.Td visibleFrom="sm" pr="sm">
          {typeText}
        </Table.Td>
        <Table.Td visibleFrom="sm" pr="sm">
          {!isField && <IndexState attribute={attribute} />}
        </Table.Td>
        {isField ? (
          <Table.Td className={classes.use} />
        ) : (
          <Table.Td className={classes.use} title={plural(accounts, 'account')}>
            <Usage accounts={accounts} total={total} />
          </Table.Td>
        )}
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={4}>
            <Box className={classes.indented} pb="sm">
              <AttributeDetails attribute={attribute} total={total} actions={actions} />
            </Box>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function ownerMarksOf({ owner }: Attribute, labelOf: (source: string) => string): readonly string[] {
  if (owner === null) return [];
  return [`owned by ${labelOf(owner.source)}`, ...(owner.others === 'keep' ? ['others: kept'] : [])];
}
