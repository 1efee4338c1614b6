/** The write queue is full: nothing was stored, and the same request may be sent again in a moment. */
export class QueueFull extends Error {}

/** A name that must be unique is in use; nothing was changed. */
export class Taken extends Error {}

/** The tenant declares as many attributes as it may; nothing was changed. */
export class TooManyAttributes extends Error {
  readonly code = 'too_many_attributes';

  constructor(limit: number) {
    super(
      `A tenant may not declare more than ${limit} attributes. Remove one that is no longer needed first.`,
    );
  }
}

/** The disk is full, or fails: nothing was stored, and the same request succeeds once there is room. */
export class DiskFailure extends Error {}

/** The database cannot be opened; the message tells the operator why and what to do. */
export class StoreUnusable extends Error {}

/** No server has made a database yet in the place where a command looks for one. */
export class MissingDatabase extends StoreUnusable {}
