import { Button, Center } from '@mantine/core';

interface ShowMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Loads the next page of a list. Not rendered on the last page. */
export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ShowMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        Show more
      </Button>
    </Center>
  );
}
