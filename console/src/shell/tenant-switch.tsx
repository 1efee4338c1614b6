import { Box, NavLink, ScrollArea, Text } from '@mantine/core';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { useSwitchTenant } from '../api/profile';
import type { Session } from '../api/session';
import { ErrorState } from '../components/error-state';
import { showNotice } from '../components/notice';
import { ROLES } from '../components/roles';
import { IconCheck } from '../icons/icons.js';
import { pathInOtherTenant } from './page-scopes';

interface TenantSwitchProps {
  readonly session: Session;
  readonly onDone: () => void;
}

/** The tenants of the user. */
export function TenantSwitch({ session: { tenant, tenants }, onDone }: TenantSwitchProps) {
  const [path, navigate] = useLocation();
  const labelId = useId();
  const change = useSwitchTenant((next) => {
    // Also drops filters, which may name what the other tenant does not have.
    navigate(pathInOtherTenant(path, next.scopes));
    onDone();
    showNotice(`You are now in the tenant ${next.tenant}.`);
  });
  return (
    <Box role="group" aria-labelledby={labelId}>
      <Text id={labelId} size="xs" c="dimmed" px="sm" py={4}>
        Tenants
      </Text>
      <ScrollArea.Autosize mah={240} type="auto">
        {tenants.map(({ name, role }) => (
          <NavLink
            key={name}
            component="button"
            label={<span className="breakable">{name}</span>}
            description={ROLES[role].label}
            rightSection={name === tenant && <IconCheck size={16} />}
            aria-current={name === tenant}
            disabled={change.isPending}
            // The scroll area would cut off an outline around it.
            style={{ outlineOffset: -2 }}
            onClick={() => (name === tenant ? onDone() : change.mutate(name))}
          />
        ))}
      </ScrollArea.Autosize>
      {change.error !== null && <ErrorState error={change.error} />}
    </Box>
  );
}
