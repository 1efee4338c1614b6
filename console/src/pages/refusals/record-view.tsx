import { Text } from '@mantine/core';
import { IconAlertTriangleFilled, IconArrowLeft } from '@tabler/icons-react';
import type { Rejection } from '../../api/rejections';
import { messagesOf } from './group-refusals';
import { beginningOf, jsonOf, type RecordLine, recordLines } from './record-lines';
import styles from './refusals.module.css';

/** The record as it was received, with what is wrong beside each field. */
export function RecordView({ refusal }: { refusal: Rejection }) {
  const { record, errors, problem } = refusal;
  if (problem !== null) return <WithoutRecord refusal={refusal} />;
  const beginning = beginningOf(record);
  const lines =
    beginning === undefined
      ? recordLines(record, errors ?? {})
      : [
          ...messagesOf(refusal).map(([name, message]) => ({ text: name ?? '', messages: [message] })),
          { text: `${beginning}…`, messages: [] },
        ];
  return (
    <>
      <Lines lines={lines} />
      {beginning !== undefined && (
        <Note>The record was too long to be kept whole: this is its beginning, as it was sent.</Note>
      )}
      {jsonOf(record).includes('[redacted]') && (
        <Note>
          “[redacted]” stands for a value that was not kept, since the name of its field speaks of a secret or
          the value holds a key.
        </Note>
      )}
    </>
  );
}

function WithoutRecord({ refusal: { index, status, problem } }: { refusal: Rejection }) {
  return (
    <>
      <Lines lines={[{ text: `Status ${status}`, messages: [problem ?? ''] }]} />
      <Note>
        {index === null
          ? 'The request was refused as a whole, before its records were looked at, so none is shown.'
          : 'What stood at this place could not be read as a record, and is not kept.'}
      </Note>
    </>
  );
}

function Lines({ lines }: { lines: readonly RecordLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
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
              {isMissing && ' It was not sent.'}
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
