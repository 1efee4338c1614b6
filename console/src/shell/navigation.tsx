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

const ENTRIES = [
  { href: '/', label: 'Overview', icon: IconLayoutDashboard, scope: 'read' },
  { href: '/accounts', label: 'Accounts', icon: IconBuildings, scope: 'read' },
  { href: '/sources', label: 'Sources', icon: IconPlugConnected, scope: 'read' },
  { href: '/runs', label: 'Runs', icon: IconRefresh, scope: 'read' },
  { href: '/rejections', label: 'Rejections', icon: IconForbid2, scope: 'read' },
  { href: '/attributes', label: 'Attributes', icon: IconListDetails, scope: 'read' },
  { href: '/webhooks', label: 'Webhooks', icon: IconWebhook, scope: 'admin' },
  { href: '/try', label: 'Try it', icon: IconSend, scope: 'sync' },
  { href: '/settings', label: 'Settings', icon: IconSettings, scope: 'admin' },
] as const;

interface NavigationProps {
  readonly location: string;
  readonly scopes: readonly Scope[];
  readonly onNavigate: () => void;
}

export function Navigation({ location, scopes, onNavigate }: NavigationProps) {
  const isHere = (href: string) => (href === '/' ? location === '/' : location.startsWith(href));
  return ENTRIES.filter(({ scope }) => scopes.includes(scope)).map(({ href, label, icon: Icon }) => (
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
