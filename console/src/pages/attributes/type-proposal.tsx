import type { ReactNode } from 'react';
import { useAttributeCheck } from '../../api/attribute-check';
import { ErrorState } from '../../components/error-state';
import { SkeletonLines } from '../../components/skeleton-lines';
import { guessedType, type ProposedType, proposeType } from './propose-type';
import type { UndeclaredField } from './type-descriptions';

interface TypeProposalProps {
  readonly field: UndeclaredField;
  readonly children: (type: ProposedType) => ReactNode;
}

/** Proposes a type from the first part of the check. Its 10,000 accounts represent the others well enough. */
export function TypeProposal({ field, children }: TypeProposalProps) {
  const guess = { type: guessedType(field.guess), choices: [] };
  const { totals, error, retry } = useAttributeCheck(field.name, guess);
  if (totals !== undefined) return children(proposeType(field, totals));
  return error === null ? <SkeletonLines lines={3} /> : <ErrorState error={error} retry={retry} />;
}
