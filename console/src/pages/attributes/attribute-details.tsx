import type { Attribute } from '@account-sync/client';
import { Badge, Box, Button, Group, SimpleGrid, Spoiler, Stack, Text } from '@mantine/core';
import { useAttributeCheck } from '../../api/attribute-check';
import { isOwnableField } from '../../api/attributes';
import { useSourceLabel } from '../../api/sources';
import { Fact } from '../../components/fact';
import { plural } from '../../components/format';
import { CancelIndex } from './cancel-index';
import { Examples } from './examples';
import { FitReport } from './fit-report';
import { IndexState } from './index-state';
import { TYPE_DESCRIPTIONS } from './type-descriptions';

export interface Actions {
  readonly onEdit: (attribute: Attribute) => void;
  readonly onRemove: (attribute: Attribute) => void;
}

interface AttributeDetailsProps {
  readonly attribute: Attribute;
  readonly total: number | undefined;
  /** Undefined if the key lacks the scope admin. */
  readonly actions: Actions | undefined;
}

export function AttributeDetails({ attribute, total, actions }: AttributeDetailsProps) {
  const { type, choices, read_only: isReadOnly, built_in: isBuiltIn } = attribute;
  const isField = isOwnableField(attribute);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="md">
      <Stack gap="md">
        <Fact name="Type">
          {type}. {isField ? 'Text of up to 191 characters.' : TYPE_DESCRIPTIONS[type]}
        </Fact>
        {choices.length > 0 && (
          <Fact name={plural(choices.length, 'choice')}>
            <Spoiler maxHeight={120} showLabel="Show all" hideLabel="Show fewer">
              <Group gap={6} mt={2}>
                {choices.map((choice) => (
                  <Badge key={choice} variant="default" fw={500}>
                    {choice}
                  </Badge>
                ))}
              </Group>
            </Spoiler>
          </Fact>
        )}
        <Fact name="Requests">
          {isReadOnly
            ? 'Read-only: requests that send this attribute are rejected.'
            : 'Can set this attribute, and clear it with null.'}
        </Fact>
        <PresentationFact attribute={attribute} />
        <Fact name="Owner">
          <OwnerText attribute={attribute} />
        </Fact>
        {!isField && (
          <Fact name="Index">
            <Group gap="sm">
              <IndexState attribute={attribute} />
              {attribute.index === 'building' && actions !== undefined && (
                <CancelIndex attribute={attribute} />
              )}
            </Group>
          </Fact>
        )}
        {actions !== undefined && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => actions.onEdit(attribute)}>
              Edit
            </Button>
            {!isBuiltIn && (
              <Button size="xs" variant="default" onClick={() => actions.onRemove(attribute)}>
                Remove declaration
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <Stack gap="md">
        {!isField && <StoredValueFacts attribute={attribute} total={total} />}
        {isBuiltIn && (
          <Text size="sm" c="dimmed">
            {isField
              ? 'Every account has this field. Only its owner can be changed.'
              : 'Every tenant has this attribute. Its type cannot be changed.'}
          </Text>
        )}
      </Stack>
    </SimpleGrid>
  );
}

/** The label is in the row. */
function PresentationFact({ attribute: { description, unit, group, position } }: { attribute: Attribute }) {
  const parts = [
    group !== null && `Group ${group}`,
    position !== null && `Position ${position}`,
    unit !== null && `Unit ${unit}`,
  ].filter((part) => part !== false);
  return (
    <>
      {description !== null && (
        <Fact name="Description">
          <span className="breakable">{description}</span>
        </Fact>
      )}
      {parts.length > 0 && (
        <Fact name="Presentation">
          <span className="breakable">{parts.join(' · ')}</span>
        </Fact>
      )}
    </>
  );
}

function OwnerText({ attribute: { owner } }: { attribute: Attribute }) {
  const labelOf = useSourceLabel();
  if (owner === null) return 'Every source can change the values.';
  return owner.others === 'keep'
    ? `${labelOf(owner.source)}. Different values of other sources are not stored.`
    : `${labelOf(owner.source)}. Records of other sources with a different value are rejected.`;
}

function StoredValueFacts({ attribute, total }: Pick<AttributeDetailsProps, 'attribute' | 'total'>) {
  const { name, type, choices } = attribute;
  const check = useAttributeCheck(name, { type, choices });
  return (
    <>
      <Fact name="Examples">
        <Examples name={name} attribute={attribute} totals={check.totals} />
      </Fact>
      <Fact name="Stored values">
        <Box mt={2}>
          <FitReport check={check} total={total} />
        </Box>
      </Fact>
    </>
  );
}
