import type pg from 'pg';

/*
 * Access to the socket of a `pg` client. `pg` has no public interface for it: a client keeps it in the private property
 * `connection.stream`. If a release of `pg` renames that property, both functions throw a `TypeError`, so every account
 * write fails, and the tests of PostgreSQL with it. If a release buffers its writes itself, `inOneWrite` merely becomes
 * superfluous.
 */

function socketOf(client: pg.ClientBase): pg.Connection['stream'] {
  return (client as unknown as { connection: pg.Connection }).connection.stream;
}

/** Sends everything that `work` writes in one system call, instead of one per statement. */
export function inOneWrite<T>(client: pg.ClientBase, work: () => T): T {
  const socket = socketOf(client);
  socket.cork();
  try {
    return work();
  } finally {
    socket.uncork();
  }
}

/** Closes the connection without waiting for the server, which may hang. */
export function destroySocket(client: pg.ClientBase): void {
  socketOf(client).destroy();
}
