import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
import { useSession } from '../../api/session';
import { PageHead } from '../../components/page-head';
import { NotFound } from '../../shell/not-found';
import { AuditSection } from './audit-section';
import { BlockedIdsSection } from './blocked-ids-section';
import { KeysSection } from './keys-section';
import { PeopleSection } from './people/people-section';
import { RulesSection } from './rules-section';

const SECTIONS: Readonly<Record<string, { title: string; section: ComponentType }>> = {
  rules: { title: 'Rules', section: RulesSection },
  'blocked-ids': { title: 'Blocked ids', section: BlockedIdsSection },
  people: { title: 'People', section: PeopleSection },
  keys: { title: 'Keys', section: KeysSection },
  audit: { title: 'Audit', section: AuditSection },
};

/** Rules, blocked ids, people, keys and audit log of the tenant. */
export default function Settings() {
  const { section: name = 'rules' } = useParams<{ section?: string }>();
  const [, navigate] = useLocation();
  const tenant = useSession().data?.tenant;
  const current = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
  if (current === undefined) return <NotFound />;
  const Section = current.section;
  return (
    <>
      <PageHead
        title={`${current.title} · Settings`}
        heading="Settings"
        description={`Rules, blocked ids, people, keys and audit log of the tenant ${tenant}.`}
      />
      <Tabs value={name} onChange={(next) => navigate(next === 'rules' ? '/settings' : `/settings/${next}`)}>
        <Tabs.List mb="lg">
          {Object.entries(SECTIONS).map(([value, { title }]) => (
            <Tabs.Tab key={value} value={value} px={{ base: 10, xs: 'md' }}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.keys(SECTIONS).map((value) => (
          // Every panel is rendered, because the tabs refer to them. Only the open one has content.
          <Tabs.Panel key={value} value={value}>
            {value === name && <Section />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
