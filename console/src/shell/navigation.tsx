import { NavLink } from '@mantine/core';
import { Link } from 'wouter';
import type { Scope } from '../api/session';
import {
  IconBuildings,
  IconForbid2,
  IconLayoutDashboard,
  IconListDetails,
  IconPlugConnected,
  IconRefresh,
  IconSend,
  IconSettings,
  IconWebhook,
} from '../icons/icons.js';
import { mayOpen } from './page-scopes';

const ENTRIES = [
  { href: '/', label: 'Overview', icon: IconLayoutDashboard },
  { href: '/accounts', label: 'Accounts', icon: IconBuildings },
  { href: '/sources', label: 'Sources', icon: IconPlugConnected },
  { href: '/runs', label: 'Runs', icon: IconRefresh },
  { href: '/rejections', label: 'Rejections', icon: IconForbid2 },
  { href: '/attributes', label: 'Attributes', icon: IconListDetails },
  { href: '/webhooks', label: 'Webhooks', icon: IconWebhook },
  { href: '/try', label: 'Try it', icon: IconSend },
  { href: '/settings', label: 'Settings', icon: IconSettings },
] as const;

interface NavigationProps {
  readonly location: string;
  readonly scopes: readonly Scope[];
  readonly onNavigate: () => void;
}

export function Navigation({ location, scopes, onNavigate }: NavigationProps) {
  const isHere = (href: string) => (href === '/' ? location === '/' : location.startsWith(href));
  return ENTRIES.filter(({ href }) => mayOpen(href, scopes)).map(({ href, label, icon: Icon }) => (
    <NavLink
      key={href}
      component={Link}
      href={href}
      label={label}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      active={isHere(href)}
      aria-current={isHere(href) ? 'page' : undefined}
      onClick={onNavigate}
      variant="light"
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
      mb={2}
    />
  ));
}
