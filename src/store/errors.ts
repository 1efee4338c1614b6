/** The write queue is full. Nothing was stored; the same request may succeed a second later. */
export class QueueFull extends Error {}

/** The name of a tenant or a host is in use. Nothing was changed. */
export class NameTaken extends Error {}

/** The tenant has the maximum number of declared attributes. Nothing was changed. */
export class TooManyAttributes extends Error {
  readonly code = 'too_many_attributes';

  constructor(limit: number) {
    super(
      `A tenant may not declare more than ${limit} attributes. Remove one that is no longer needed first.`,
    );
  }
}

/** The tenant has the maximum number of sources. Nothing was changed. */
export class TooManySources extends Error {
  constructor(limit: number) {
    super(`A tenant may not have more than ${limit} sources. Remove one that is no longer needed first.`);
  }
}

/** There is no source of this name. Nothing was changed. */
export class UnknownSource extends Error {
  constructor(readonly source: string) {
    super(`There is no source ${source}.`);
  }
}

/** A key belongs to the source. Nothing was changed. */
export class SourceInUse extends Error {
  constructor(
    source: string,
    by: { readonly keyId: string } | { readonly attribute: string } | { readonly users: true },
  ) {
    const message =
      'keyId' in by
        ? `The key ${by.keyId} belongs to the source ${source}. Revoke it, or give it another source first.`
        : 'attribute' in by
          ? `The source ${source} owns the attribute ${by.attribute}. Give it another owner, or none, first.`
          : `What users store in the console belongs to the source ${source}. It stays while the tenant has users.`;
    super(message);
  }
}

/** The tenant has the maximum number of users or invitations. Nothing was changed. */
export class TooManyUsers extends Error {
  constructor(limit: number) {
    super(`A tenant may not have more than ${limit} users and ${limit} invitations. Remove one first.`);
  }
}

/** The user belongs to the tenant already. Nothing was changed. */
export class AlreadyMember extends Error {
  constructor({ id, email, role }: { readonly id: string; readonly email: string; readonly role: string }) {
    super(
      `${email} belongs to the tenant already, as ${role}. Change the role instead: the user's id is ${id}.`,
    );
  }
}

/** The link has expired, was used, or was replaced. Nothing was changed. */
export class LinkNotValid extends Error {}

/** Why a person whom the OpenID provider has identified may not sign in. */
export type IdentityProblem = 'oidc_no_role' | 'oidc_email_unverified' | 'oidc_email_taken';

/** A person whom the OpenID provider has identified may not sign in. */
export class IdentityRefused extends Error {
  constructor(readonly problem: IdentityProblem) {
    super(problem);
  }
}

/** All connections to the database are in use. Nothing was stored; the same request may succeed a second later. */
export class NoFreeConnection extends Error {}

/** The disk is full or fails. Nothing was stored; the same request may succeed once there is space. */
export class DiskFailure extends Error {}

/** A thread that writes accounts does not reply. Its requests wait. */
export class ThreadHangs extends Error {}

/** The database cannot be used. The message explains to the operator why, and what to do. */
export class StoreUnusable extends Error {}

/** The command needs an existing database, and no server has created one yet. */
export class MissingDatabase extends StoreUnusable {}

/** The tenant has the maximum number of webhooks. Nothing was changed. */
export class TooManyWebhooks extends Error {
  constructor(limit: number) {
    super(`A tenant may not have more than ${limit} webhooks. Remove one that is no longer needed first.`);
  }
}
