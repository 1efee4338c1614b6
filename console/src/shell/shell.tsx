import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Session } from '../api/session';
import { NoticeArea } from '../components/notice';
import icon from '../icon.svg';
import { Navigation } from './navigation';
import { ServerUnreachable } from './server-unreachable';
import { SessionMenu } from './session-menu';
import { ThemeSwitch } from './theme-switch';
import { MAIN_ID, useScrollToTop } from './use-scroll-to-top';

/** Header and navigation around every page. */
export function Shell({ session, children }: { session: Session; children: ReactNode }) {
  const [isOpen, menu] = useDisclosure();
  const [location] = useLocation();
  useScrollToTop(location);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <a className="skip-link" href={`#${MAIN_ID}`}>
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
            />
            <Text component={Link} href="/" fw={650} c="var(--mantine-color-text)" aria-label="account-sync">
              <Group gap="xs" wrap="nowrap">
                <img src={icon} alt="" width={26} height={26} />
                <Text span inherit visibleFrom="xs">
                  account-sync
                </Text>
              </Group>
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ThemeSwitch />
            <SessionMenu session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages">
        <AppShell.Section grow component={ScrollArea}>
          <Navigation location={location} scopes={session.scopes} onNavigate={menu.close} />
        </AppShell.Section>
        <AppShell.Section px="sm">
          <Text size="xs" c="dimmed">
            Version {session.version}
          </Text>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id={MAIN_ID} tabIndex={-1}>
        <ServerUnreachable key={session.tenant} />
        {children}
      </AppShell.Main>
      <NoticeArea />
    </AppShell>
  );
}
