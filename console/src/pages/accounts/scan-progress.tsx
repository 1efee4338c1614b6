import { Button, Group, Loader, Text } from '@mantine/core';
import { plural } from '../../components/format';

interface ScanProgressProps {
  readonly found: number;
  readonly isScanning: boolean;
  readonly onContinue: () => void;
}

/** Shown below an incomplete page. Filters without an index scan the accounts in steps. */
export function ScanProgress({ found, isScanning, onContinue }: ScanProgressProps) {
  return (
    <Group gap="sm" py="md" justify="center" role="status">
      {isScanning ? (
        <>
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            {found === 0 ? 'No matching accounts so far' : `${plural(found, 'account')} found so far`}. Still
            searching …
          </Text>
        </>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {found === 0 ? 'No matching accounts so far.' : `${plural(found, 'account')} found so far.`} Not
            all accounts have been searched.
          </Text>
          <Button variant="default" size="xs" onClick={onContinue}>
            Continue searching
          </Button>
        </>
      )}
    </Group>
  );
}
