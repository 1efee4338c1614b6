import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
import { useSession } from '../../api/session';
import { PageHead } from '../../parts/page-head';
import { NotFound } from '../../shell/not-found';
import { AuditSection } from './audit-section';
import { BlockedIdsSection } from './blocked-ids-section';
import { KeysSection } from './keys-section';
import { RulesSection } from './rules-section';

const SECTIONS: Readonly<Record<string, { title: string; section: ComponentType }>> = {
  rules: { title: 'Rules', section: RulesSection },
  'blocked-ids': { title: 'Blocked ids', section: BlockedIdsSection },
  keys: { title: 'Keys', section: KeysSection },
  audit: { title: 'Audit', section: AuditSection },
};

/** What a tenant accepts, who may use it, and who changed that. */
export default function Settings() {
  const { section: name = 'rules' } = useParams<{ section?: string }>();
  const [, navigate] = useLocation();
  const tenant = useSession().data?.tenant;
  const here = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
  if (here === undefined) return <NotFound />;
  const Section = here.section;
  return (
    <>
      <PageHead
        title={`${here.title} · Settings`}
        heading="Settings"
        description={`What the tenant ${tenant} accepts, and who may use it.`}
      />
      <Tabs value={name} onChange={(next) => navigate(next === 'rules' ? '/settings' : `/settings/${next}`)}>
        <Tabs.List mb="lg">
          {Object.entries(SECTIONS).map(([value, { title }]) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.keys(SECTIONS).map((value) => (
          // All of them are there, since their tabs point to them; only the open one has something in it.
          <Tabs.Panel key={value} value={value}>
            {value === name && <Section />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
