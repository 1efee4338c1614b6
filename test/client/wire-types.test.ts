import type { Static, TSchema } from 'typebox';
import { expectTypeOf, it } from 'vitest';
import type {
  Account,
  AccountSelection,
  Ancestors,
  AttributeDefinition,
  Attributes,
  ChangePage,
  Child,
  EditResult,
  HistoryEntry,
  Json,
  ListFilter,
  Problem,
  ReplayFrom,
  SubtreePage,
  TestDelivery,
  Webhook,
  WebhookDelivery,
  WebhookSettings,
  WebhookWithSecret,
} from '../../client/dist/index.js';
import type { MatchingSchema } from '../../dist/http/v2/accounts/account-selection.js';
import type { AncestorsSchema } from '../../dist/http/v2/accounts/get-ancestors.js';
import type { SubtreeSchema } from '../../dist/http/v2/accounts/get-subtree.js';
import type { ChildSchema } from '../../dist/http/v2/accounts/list-children.js';
import type { ListQuery } from '../../dist/http/v2/accounts/list-query.js';
import type { EditResultSchema } from '../../dist/http/v2/accounts/patch-account.js';
import type { AttributesSchema } from '../../dist/http/v2/attributes/list-attributes.js';
import type { AttributeDefinitionSchema } from '../../dist/http/v2/attributes/put-attribute.js';
import type { ChangePageSchema } from '../../dist/http/v2/changes/get-changes.js';
import type { AccountSchema, ProblemSchema } from '../../dist/http/v2/schemas.js';
import type { NewWebhookSchema } from '../../dist/http/v2/webhooks/create-webhook.js';
import type { DeliverySchema } from '../../dist/http/v2/webhooks/list-deliveries.js';
import type { WebhookChangesSchema } from '../../dist/http/v2/webhooks/patch-webhook.js';
import type { ReplaySchema } from '../../dist/http/v2/webhooks/replay-webhook.js';
import type { TestDeliverySchema } from '../../dist/http/v2/webhooks/test-webhook.js';
import type { SecretWebhookSchema, WebhookSchema } from '../../dist/http/v2/webhooks/webhook-body.js';
import type { ChangeSchema } from '../../dist/wire/change-body.js';

/** Removes differences that do not matter: `readonly`, and `Json` for `unknown`. */
type Plain<T> = Json extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { -readonly [Name in keyof T]: Plain<T[Name]> }
      : T;
type OnTheServer<Schema extends TSchema> = Plain<Static<Schema>>;

// The compiler checks this: nothing can fail at run time.
it('the types of the client are those of the schemas of the server', () => {
  expectTypeOf<Plain<Account>>().toEqualTypeOf<OnTheServer<typeof AccountSchema>>();
  expectTypeOf<Plain<EditResult>>().toEqualTypeOf<OnTheServer<typeof EditResultSchema>>();
  expectTypeOf<Plain<Extract<AccountSelection, { matching: object }>['matching']>>().toEqualTypeOf<
    OnTheServer<typeof MatchingSchema>
  >();
  expectTypeOf<Plain<HistoryEntry>>().toEqualTypeOf<OnTheServer<typeof ChangeSchema>>();
  expectTypeOf<Plain<ChangePage>>().toEqualTypeOf<OnTheServer<typeof ChangePageSchema>>();
  expectTypeOf<Plain<Ancestors>>().toEqualTypeOf<OnTheServer<typeof AncestorsSchema>>();
  expectTypeOf<Plain<SubtreePage>>().toEqualTypeOf<OnTheServer<typeof SubtreeSchema>>();
  expectTypeOf<Plain<Attributes>>().toEqualTypeOf<OnTheServer<typeof AttributesSchema>>();
  expectTypeOf<Plain<AttributeDefinition>>().toEqualTypeOf<OnTheServer<typeof AttributeDefinitionSchema>>();
  expectTypeOf<Plain<Problem>>().toEqualTypeOf<OnTheServer<typeof ProblemSchema>>();
  // The client handles pages and counts itself.
  expectTypeOf<Plain<Omit<ListFilter, 'attribute'>>>().toEqualTypeOf<
    Omit<OnTheServer<typeof ListQuery>, 'cursor' | 'count' | 'attribute'>
  >();
  expectTypeOf<Plain<Child>>().toEqualTypeOf<OnTheServer<typeof ChildSchema>>();
  expectTypeOf<Plain<Webhook>>().toEqualTypeOf<OnTheServer<typeof WebhookSchema>>();
  expectTypeOf<Plain<WebhookWithSecret>>().toEqualTypeOf<OnTheServer<typeof SecretWebhookSchema>>();
  expectTypeOf<Plain<WebhookDelivery>>().toEqualTypeOf<OnTheServer<typeof DeliverySchema>>();
  expectTypeOf<Plain<TestDelivery>>().toEqualTypeOf<OnTheServer<typeof TestDeliverySchema>>();
  expectTypeOf<Plain<ReplayFrom>>().toEqualTypeOf<OnTheServer<typeof ReplaySchema>>();
  expectTypeOf<Plain<Pick<WebhookSettings, 'url'> & Partial<WebhookSettings>>>().toEqualTypeOf<
    OnTheServer<typeof NewWebhookSchema>
  >();
  expectTypeOf<Plain<Partial<WebhookSettings> & { readonly state?: 'active' | 'paused' }>>().toEqualTypeOf<
    OnTheServer<typeof WebhookChangesSchema>
  >();
});
