import { Anchor, Box, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAttributes } from '../../api/attributes';
import { useScopes } from '../../api/session';
import { formatNumber } from '../../components/format';
import { IconBulb } from '../../icons/icons.js';
import type { Advice, AdviceLink } from './advice';
import type { RejectionGroup } from './group-rejections';
import { howToFix } from './how-to-fix';
import { sentValues } from './record-lines';

const MAX_VALUES = 6;

/** The violated rule, the values that were sent, and what to change in the sending system. */
export function AdviceView({ group: { message, attribute, rejections } }: { group: RejectionGroup }) {
  const advice = howToFix(message);
  const sent =
    attribute === null
      ? []
      : sentValues(
          rejections.map(({ record }) => record),
          attribute,
        );
  return (
    <Paper p="md" component="section" aria-label="How to fix">
      <Group gap={6} mb="xs">
        <IconBulb size={18} stroke={1.6} aria-hidden />
        <Title order={3} size="h5">
          How to fix
        </Title>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
        <Stack gap="sm">
          <Part name="Rule">
            {advice?.rule ?? 'See the message. The console has no further information about it.'}
          </Part>
          {sent.length > 0 && (
            <Part name="What was sent">
              <Values values={sent} />
            </Part>
          )}
        </Stack>
        <Stack gap="sm">
          <Part name="What to change">
            {advice?.change ?? 'Search for the message in the API reference at /docs.'}
          </Part>
          {advice?.good !== undefined && (
            <Part name="Valid example">
              <Code className="breakable">
                {attribute === null ? advice.good : `${JSON.stringify(attribute)}: ${advice.good}`}
              </Code>
            </Part>
          )}
          {advice?.links !== undefined && <AdviceLinks advice={advice} attribute={attribute} />}
        </Stack>
      </SimpleGrid>
    </Paper>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div" className="breakable">
        {children}
      </Text>
    </Box>
  );
}

function Values({ values }: { values: readonly [string, number][] }) {
  return (
    <Group gap="xs">
      {values.slice(0, MAX_VALUES).map(([value, times]) => (
        <span key={value}>
          <Code className="breakable">{value.length > 80 ? `${value.slice(0, 80)}…` : value}</Code>{' '}
          <Text span size="xs" c="dimmed">
            × {formatNumber(times)}
          </Text>
        </span>
      ))}
      {values.length > MAX_VALUES && (
        <Text span size="xs" c="dimmed">
          and {formatNumber(values.length - MAX_VALUES)} more
        </Text>
      )}
    </Group>
  );
}

const LINKS: Readonly<
  Record<Exclude<AdviceLink, 'choices'>, { text: string; href: string; isForAdmins: boolean }>
> = {
  attributes: { text: 'Attributes', href: '/attributes', isForAdmins: false },
  'blocked-ids': { text: 'Settings: blocked ids', href: '/settings/blocked-ids', isForAdmins: true },
  keys: { text: 'Settings: keys', href: '/settings/keys', isForAdmins: true },
  rules: { text: 'Settings: rules', href: '/settings/rules', isForAdmins: true },
};

function AdviceLinks({ advice: { links = [] }, attribute }: { advice: Advice; attribute: string | null }) {
  const { mayAdmin } = useScopes();
  return links.map((link) => {
    if (link === 'choices') return <Choices key={link} attribute={attribute} />;
    const { text, href, isForAdmins } = LINKS[link];
    if (isForAdmins && !mayAdmin) return null;
    return (
      <Anchor key={link} component={Link} href={href} size="sm">
        {text}
      </Anchor>
    );
  });
}

function Choices({ attribute }: { attribute: string | null }) {
  const choices = useAttributes().data?.data.find(({ name }) => name === attribute)?.choices ?? [];
  if (choices.length === 0) return null;
  return (
    <Part name="Declared choices">
      <Group gap={6}>
        {choices.map((choice) => (
          <Code key={choice}>{JSON.stringify(choice)}</Code>
        ))}
      </Group>
    </Part>
  );
}
