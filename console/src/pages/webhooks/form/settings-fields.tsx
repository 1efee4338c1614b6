import { Box, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ExpandButton } from '../../../components/expand-button';
import { EventChoices } from './event-choices';
import { type FieldsProps, OPTIONAL_FIELDS } from './fields';
import { OptionalFields } from './optional-fields';
import { hasOptions } from './webhook-draft';

/** The settings of a new or existing webhook. */
export function SettingsFields(props: FieldsProps) {
  const { draft, onDraft, problem } = props;
  const [isOpen, setOpen] = useState(hasOptions(draft));
  // Stays open afterwards: the error disappears with the first key that corrects it.
  if (!isOpen && OPTIONAL_FIELDS.some((field) => problem(field) !== undefined)) setOpen(true);
  return (
    <>
      <TextInput
        type="url"
        label="URL"
        description="Receives events as POST requests. It begins with https://, unless the operator allows the host."
        placeholder="https://crm.example.com/account-events"
        value={draft.url}
        onChange={(event) => onDraft({ ...draft, url: event.currentTarget.value })}
        error={problem('url')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label="Description"
        description="What it is for"
        placeholder="Back to the CRM"
        value={draft.description}
        onChange={(event) => onDraft({ ...draft, description: event.currentTarget.value })}
        error={problem('description')}
        maxLength={200}
        autoComplete="off"
      />
      <EventChoices
        events={draft.events}
        onEvents={(events) => onDraft({ ...draft, events })}
        error={problem('events')}
      />
      <Box mt={-8}>
        <ExpandButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)} what="optional settings" />
      </Box>
      {isOpen && <OptionalFields {...props} />}
    </>
  );
}
