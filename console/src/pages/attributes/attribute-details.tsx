import type { Attribute } from '@account-sync/client';
import { Badge, Box, Button, Group, SimpleGrid, Spoiler, Stack, Text } from '@mantine/core';
import { useAttributeCheck } from '../../api/attribute-check';
import { plural } from '../../parts/format';
import { Examples } from './examples';
import { Fact } from './fact';
import { FitReport } from './fit-report';
import { IndexState } from './index-state';
import { TYPE_WORDS } from './type-words';

export interface Actions {
  readonly onEdit: (attribute: Attribute) => void;
  readonly onTakeBack: (attribute: Attribute) => void;
}

interface AttributeDetailsProps {
  readonly attribute: Attribute;
  readonly total: number | undefined;
  /** Undefined where the key may change nothing. */
  readonly actions: Actions | undefined;
}

export function AttributeDetails({ attribute, total, actions }: AttributeDetailsProps) {
  const { name, type, choices, read_only: isReadOnly, built_in: isBuiltIn } = attribute;
  const check = useAttributeCheck(name, { type, choices });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="md">
      <Stack gap="md">
        <Fact name="Type">
          {type}. {TYPE_WORDS[type]}
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
            ? 'Read-only: a request that sends it is refused.'
            : 'May send it, and clear it with null.'}
        </Fact>
        <Fact name="Index">
          <IndexState index={attribute.index} />
        </Fact>
        {actions !== undefined && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => actions.onEdit(attribute)}>
              Edit
            </Button>
            {!isBuiltIn && (
              <Button size="xs" variant="default" onClick={() => actions.onTakeBack(attribute)}>
                Take back
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <Stack gap="md">
        <Fact name="Examples">
          <Examples name={name} type={type} sum={check.sum} />
        </Fact>
        <Fact name="Stored values">
          <Box mt={2}>
            <FitReport check={check} total={total} />
          </Box>
        </Fact>
        {isBuiltIn && (
          <Text size="sm" c="dimmed">
            Every tenant has this attribute; only its index can be changed.
          </Text>
        )}
      </Stack>
    </SimpleGrid>
  );
}
