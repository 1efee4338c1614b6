import { Stack, Text } from '@mantine/core';
import { useAttributeCheck } from '../../api/attribute-check';
import { Fact } from '../../components/fact';
import { Examples } from './examples';
import { FitReport } from './fit-report';
import type { ProposedType } from './propose-type';
import { isDeclarable, NAME_RULE, type UndeclaredField } from './type-descriptions';
import { TypeProposal } from './type-proposal';

interface UndeclaredDetailsProps {
  readonly field: UndeclaredField;
  readonly total: number | undefined;
}

export function UndeclaredDetails({ field, total }: UndeclaredDetailsProps) {
  const { name } = field;
  if (!isDeclarable(name)) {
    return (
      <Text size="sm" maw={640}>
        {NAME_RULE} {suggestion(name)}
      </Text>
    );
  }
  return (
    <TypeProposal field={field}>{(type) => <Values name={name} type={type} total={total} />}</TypeProposal>
  );
}

interface ValuesProps extends Pick<UndeclaredDetailsProps, 'total'> {
  readonly name: string;
  readonly type: ProposedType;
}

function Values({ name, type, total }: ValuesProps) {
  const check = useAttributeCheck(name, { type, choices: [] });
  return (
    <Stack gap="md">
      <Fact name="Examples">
        <Examples name={name} totals={check.totals} />
      </Fact>
      <Fact name={`Checked as ${type}`}>
        <FitReport check={check} total={total} />
      </Fact>
    </Stack>
  );
}

/** Usually only the prefix is missing. */
function suggestion(name: string): string {
  return isDeclarable(`custom_${name}`)
    ? `Change the name in the sending system to custom_${name}, which can be declared.`
    : 'Change the name in the sending system.';
}
