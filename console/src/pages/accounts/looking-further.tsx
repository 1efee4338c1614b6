import { Button, Group, Loader, Text } from '@mantine/core';
import { plural } from '../../parts/format';

interface LookingFurtherProps {
  readonly found: number;
  readonly isLooking: boolean;
  readonly goOn: () => void;
}

/** Below a page that is not full yet: filters that go by no index look through accounts step by step. */
export function LookingFurther({ found, isLooking, goOn }: LookingFurtherProps) {
  return (
    <Group gap="sm" py="md" justify="center" role="status">
      {isLooking ? (
        <>
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            {found === 0 ? 'Nothing found yet' : `${plural(found, 'account')} found so far`}: looking further.
          </Text>
        </>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {found === 0
              ? 'Nothing was found among many accounts.'
              : `${plural(found, 'account')} found so far.`}{' '}
            There are more to look through.
          </Text>
          <Button variant="default" size="xs" onClick={goOn}>
            Look further
          </Button>
        </>
      )}
    </Group>
  );
}
