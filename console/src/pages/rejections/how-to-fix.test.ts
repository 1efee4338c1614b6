import { describe, expect, it } from 'vitest';
import { TYPE_NAMES } from '../../../../dist/domain/attribute-types.js';
import * as messages from '../../../../dist/domain/messages.js';
import { ArraySplitter } from '../../../../dist/formats/array-splitter.js';
import { checkJsonLimits } from '../../../../dist/formats/json-limits.js';
import { parseJson } from '../../../../dist/formats/parse-json.js';
import { ERRORS } from '../../../../dist/http/errors.js';
import { kindOf } from './group-rejections';
import { howToFix } from './how-to-fix';

const ID = 'acme, inc.';

const { tooLong, mustBeString, invalidValue, readOnly, unknownField, ...sentences } = messages;

/** Messages with parameters are called here. `satisfies` reports a new one, because it is not a string. */
const fieldMessages: readonly string[] = [
  ...Object.values(sentences satisfies Record<string, string>),
  ...['account_id', 'parent_account_id', 'name'].map((field) => tooLong(field, 191)),
  ...['parent_account_id', 'name'].map(mustBeString),
  ...TYPE_NAMES.map((type) => invalidValue(ID, 'custom_X', type)),
  readOnly(ID, 'created_at'),
  unknownField(ID, 'custom_x', undefined),
  unknownField(ID, 'custom_x', 'custom_X'),
];

const {
  // These errors occur before the tenant is known, or in operations that store no records.
  malformed_http: _malformedHttp,
  http_version_unsupported: _httpVersion,
  host_missing: _hostMissing,
  host_invalid: _hostInvalid,
  path_invalid: _pathInvalid,
  transfer_encoding_unsupported: _transferEncoding,
  connect_unsupported: _connect,
  expectation_unsupported: _expectation,
  too_many_headers: _tooManyHeaders,
  headers_too_large: _headersTooLarge,
  path_not_found: _pathNotFound,
  method_not_allowed: _methodNotAllowed,
  unauthenticated: _unauthenticated,
  sign_in_throttled: _signInThrottled,
  sign_in_failed: _signInFailed,
  sign_in_method_off: _signInMethodOff,
  sign_in_busy: _signInBusy,
  user_throttled: _userThrottled,
  no_tenant: _noTenant,
  no_user: _noUser,
  own_user: _ownUser,
  user_exists: _userExists,
  user_of_other_tenants: _userOfOtherTenants,
  user_of_provider: _userOfProvider,
  too_many_users: _tooManyUsers,
  link_not_found: _linkNotFound,
  link_needs_identity: _linkNeedsIdentity,
  body_timeout: _bodyTimeout,
  bad_request: _badRequest,
  not_found: _notFound,
  revision_required: _revisionRequired,
  revision_changed: _revisionChanged,
  too_many_matching: _tooManyMatching,
  too_many_edits: _tooManyEdits,
  no_session: _noSession,
  key_not_live: _keyNotLive,
  last_admin_key: _lastAdminKey,
  too_many_attributes: _tooManyAttributes,
  unknown_source: _unknownSource,
  source_in_use: _sourceInUse,
  too_many_sources: _tooManySources,
  too_many_webhooks: _tooManyWebhooks,
  too_many_streams: _tooManyStreams,
  run_open: _runOpen,
  request_not_found: _requestNotFound,
  undo_of_other_source: _undoOfOtherSource,
  undo_unfinished: _undoUnfinished,
  undo_taken_over: _undoTakenOver,
  undo_not_ready: _undoNotReady,
  undo_interrupted: _undoInterrupted,
  missing_not_asked: _missingNotAsked,
  tracking_ended: _trackingEnded,
  too_many_missing: _tooManyMissing,
  history_removed: _historyRemoved,
  too_many_undos: _tooManyUndos,
  internal_error: _internalError,
  // These messages have parameters and are listed below.
  scope_missing,
  role_missing,
  content_encoding_unsupported,
  run_not_found,
  run_of_other_source,
  not_utf8: _notUtf8,
  invalid_json: _invalidJson,
  forbidden_key: _forbiddenKey,
  nested_too_deep: _nestedTooDeep,
  too_many_keys: _tooManyKeys,
  too_many_containers: _tooManyContainers,
  too_many_values: _tooManyValues,
  malformed_array: _malformedArray,
  ...others
} = ERRORS;

const messageOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('No error was thrown.');
};

const splitting = (text: string) =>
  messageOf(() => {
    const splitter = new ArraySplitter(1_000);
    return [...splitter.push(Buffer.from(text)), ...splitter.end()];
  });

const requestMessages: readonly string[] = [
  ...Object.values(others).map(({ message }) => message(3)),
  scope_missing.message('sync'),
  role_missing.message('editor', 'viewer'),
  content_encoding_unsupported.message('gzip'),
  run_not_found.message('3'),
  run_of_other_source.message(3, 'crm', 'billing'),
  ...(['body', 'record'] as const).flatMap((what) => [
    messageOf(() => parseJson(Buffer.from([0xff]), what)),
    messageOf(() => parseJson(Buffer.from('{"a":x}'), what)),
    messageOf(() => parseJson(Buffer.from('{'), what)),
    messageOf(() => parseJson(Buffer.from('{"__proto__":1}'), what)),
    ...['['.repeat(33), `{${'"a":1,'.repeat(1_001)}}`, `[${'{},'.repeat(200_000)}`, ','.repeat(100_001)].map(
      (text) => messageOf(() => checkJsonLimits(Buffer.from(text), 0, what)),
    ),
  ]),
  ...['[{}', '[{} {}]', '[{}] x', '[{},,{}]'].map(splitting),
];

describe('howToFix', () => {
  it.each([...fieldMessages, ...requestMessages])('has advice for: %s', (message) => {
    expect(howToFix(kindOf(message, ID))).toBeDefined();
  });

  it('matches the message and not the name of the field', () => {
    const advice = howToFix(kindOf(readOnly(ID, 'is not a known field'), ID));
    expect(advice?.change).toContain('Do not send this field.');
  });

  it('has no advice for unknown messages', () => {
    expect(howToFix('The moon is in the wrong phase')).toBeUndefined();
  });
});
