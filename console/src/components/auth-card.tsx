import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import icon from '../icon.svg';

interface AuthCardProps {
  /** Of the browser tab. */
  readonly title: string;
  readonly heading: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** A page outside the shell, for a user who is not signed in. */
export function AuthCard({ title, heading, description, children }: AuthCardProps) {
  useEffect(() => {
    document.title = `${title} · account-sync`;
  }, [title]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper p={{ base: 'lg', xs: 'xl' }} w="100%" maw={420} shadow="sm">
        <Stack>
          <Stack gap={4} align="center">
            <img src={icon} alt="" width={44} height={44} />
            <Title order={1} size="h3" ta="center" className="breakable">
              {heading}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm" ta="center" component="div" className="breakable">
                {description}
              </Text>
            )}
          </Stack>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
