import type { ReactNode } from 'react';
import { useAttributeCheck } from '../../api/attribute-check';
import { ErrorState } from '../../parts/error-state';
import { LinesLoading } from '../../parts/lines-loading';
import { guessedType, type ProposedType, proposeType } from './propose-type';
import type { UndeclaredField } from './type-words';

interface TypeProposalProps {
  readonly field: UndeclaredField;
  readonly children: (type: ProposedType) => ReactNode;
}

/** Finds what a field is to be declared as, by the first part of the accounts: 10,000 say what all are like. */
export function TypeProposal({ field, children }: TypeProposalProps) {
  const guess = { type: guessedType(field.guess), choices: [] };
  const { sum, error, retry } = useAttributeCheck(field.name, guess);
  if (sum !== undefined) return children(proposeType(field, sum));
  return error === null ? <LinesLoading lines={3} /> : <ErrorState error={error} retry={retry} />;
}
