import { Radio, Stack } from '@mantine/core';
import type { Role } from '../../../api/session';
import { ROLE_NAMES, ROLES } from '../../../components/roles';

interface RoleChoiceProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <Radio.Group label="Role" value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap="xs" mt={6}>
        {ROLE_NAMES.map((role) => (
          <Radio key={role} value={role} label={ROLES[role].label} description={ROLES[role].meaning} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
