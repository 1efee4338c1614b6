import { Text } from '@mantine/core';
import type { Rejection } from '../../api/rejections';
import { IconAlertTriangleFilled, IconArrowLeft } from '../../icons/icons.js';
import { messagesOf } from './group-rejections';
import { beginningOf, jsonOf, type RecordLine, recordLines } from './record-lines';
import styles from './rejections.module.css';

/** The received record, with the errors beside each field. */
export function RecordView({ rejection }: { rejection: Rejection }) {
  const { record, errors, problem } = rejection;
  if (problem !== null) return <WithoutRecord rejection={rejection} />;
  const beginning = beginningOf(record);
  const lines =
    beginning === undefined
      ? recordLines(record, errors ?? {})
      : [
          ...messagesOf(rejection).map(([name, message]) => ({ text: name ?? '', messages: [message] })),
          { text: `${beginning}…`, messages: [] },
        ];
  return (
    <>
      <Lines lines={lines} />
      {beginning !== undefined && <Note>The record was too long to store. Only its beginning is shown.</Note>}
      {jsonOf(record).includes('[redacted]') && (
        <Note>
          “[redacted]” replaces a value that was not stored, because the field name suggests a secret or the
          value contains an API key.
        </Note>
      )}
    </>
  );
}

function WithoutRecord({ rejection: { index, status, problem } }: { rejection: Rejection }) {
  return (
    <>
      <Lines lines={[{ text: `Status ${status}`, messages: [problem ?? ''] }]} />
      <Note>
        {index === null
          ? 'The whole request was rejected before its records were read, so no record is shown.'
          : 'The data at this position could not be read as a record and was not stored.'}
      </Note>
    </>
  );
}

function Lines({ lines }: { lines: readonly RecordLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <figure className={styles.record} aria-label="The record" tabIndex={0}>
      {lines.map(({ text, messages, isMissing }) =>
        messages.length === 0 ? (
          <div key={text} className={styles.line}>
            <code className={styles.code}>{text}</code>
          </div>
        ) : (
          <div key={text} className={styles.line} data-is-wrong>
            <IconAlertTriangleFilled size={14} className={styles.sign} aria-hidden />
            <mark className={styles.code}>{text}</mark>
            <span className={styles.message}>
              <IconArrowLeft size={13} className={styles.arrow} aria-hidden />
              {messages.join(' ')}
              {isMissing && ' The field was not sent.'}
            </span>
          </div>
        ),
      )}
    </figure>
  );
}

function Note({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed" mt={6}>
      {children}
    </Text>
  );
}
