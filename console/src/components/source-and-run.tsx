import { useSourceLabel } from '../api/sources';
import { RunLink } from './run-link';

interface SourceAndRunProps {
  /** Null if it is not known any more. */
  readonly source: string | null;
  /** Null for requests before there were runs. */
  readonly runId: string | null;
}

/** Such as “Salesforce, run 12”, with a link to the run. Empty if neither is known. */
export function SourceAndRun({ source, runId }: SourceAndRunProps) {
  const labelOf = useSourceLabel();
  return (
    <>
      {source !== null && labelOf(source)}
      {source !== null && runId !== null && ', '}
      {runId !== null && <RunLink id={runId} underline="always" />}
    </>
  );
}
