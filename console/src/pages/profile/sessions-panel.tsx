import { Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import {
  type BrowserSession,
  useBrowserSessions,
  useEndOtherSessions,
  useEndSession,
} from '../../api/profile';
import { ErrorState } from '../../components/error-state';
import { plural } from '../../components/format';
import { Panel } from '../../components/panel';
import { QueryView } from '../../components/query-view';
import { SavedNote } from '../../components/saved-note';
import { SkeletonLines } from '../../components/skeleton-lines';
import { Timestamp } from '../../components/timestamp';
import { IconDeviceDesktop } from '../../icons/icons.js';
import { browserName } from './browser-name';

/** Lists the sessions of the user or key, one for each browser. */
export function SessionsPanel({ isUser }: { isUser: boolean }) {
  const query = useBrowserSessions();
  const endOne = useEndSession();
  const endOthers = useEndOtherSessions();
  const [note, setNote] = useState<string>();
  const error = endOne.error ?? endOthers.error;
  const end = (session: BrowserSession) =>
    endOne.mutate(session, {
      onSuccess: () => setNote(`The session in ${browserName(session.browser)} was ended.`),
    });
  const endAll = () =>
    endOthers.mutate(undefined, {
      onSuccess: ({ ended }) => setNote(`${plural(ended, 'session was', 'sessions were')} ended.`),
    });
  const others = (query.data ?? []).filter(({ is_current }) => !is_current).length;
  return (
    <Panel
      title="Sessions"
      actions={
        others > 0 && (
          <Button variant="default" size="compact-sm" loading={endOthers.isPending} onClick={endAll}>
            End all others
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {isUser
          ? 'End the sessions that you do not recognise, and then change your password.'
          : 'End the sessions that you do not recognise, and then rotate the key.'}
      </Text>
      <SavedNote>{note}</SavedNote>
      {error !== null && <ErrorState error={error} />}
      <QueryView query={query} loading={<SkeletonLines lines={3} height={48} />}>
        {(sessions) => (
          <ul className="row-list" aria-label="Sessions">
            {currentFirst(sessions).map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={endOne.isPending && endOne.variables.id === session.id}
                onEnd={() => end(session)}
              />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
}

interface SessionRowProps {
  readonly session: BrowserSession;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { id, tenant, browser, is_current, created_at, last_used_at } = session;
  const name = browserName(browser);
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <IconDeviceDesktop size={20} stroke={1.6} style={{ flexShrink: 0 }} />
          <div>
            <Group gap="2px 8px">
              <BrowserName name={name} userAgent={browser} />
              {is_current && (
                <Badge variant="outline" size="sm">
                  this browser
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed" className="breakable">
              Tenant {tenant} · started <Timestamp at={created_at} />
              {' · '}
              {is_current ? (
                'in use now'
              ) : last_used_at === null ? (
                'not used yet'
              ) : (
                <>
                  last used <Timestamp at={last_used_at} />
                </>
              )}
            </Text>
          </div>
        </Group>
        {/* A session that an earlier version has started has no id. */}
        {!is_current && id !== '' && (
          <Button
            variant="default"
            size="compact-sm"
            style={{ flexShrink: 0 }}
            loading={isEnding}
            aria-label={`End the session in ${name}`}
            onClick={onEnd}
          >
            End
          </Button>
        )}
      </Group>
    </li>
  );
}

function BrowserName({ name, userAgent }: { name: string; userAgent: string | null }) {
  const text = (
    <Text span size="sm" fw={600} className="breakable">
      {name}
    </Text>
  );
  if (userAgent === null) return text;
  return (
    <Tooltip label={userAgent} multiline maw={420} events={{ hover: true, focus: true, touch: true }}>
      {text}
    </Tooltip>
  );
}

function currentFirst(sessions: readonly BrowserSession[]): readonly BrowserSession[] {
  return sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
}
