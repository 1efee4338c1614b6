import type { Logger } from 'pino';
import type { MigrationProgress } from '../../store/schema/migrations.js';

const INTERVAL_MS = 5_000;

/** Returns a listener that logs the progress of a migration: its beginning, its end, and every few seconds between. */
export function logMigration(logger: Logger): (progress: MigrationProgress) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - loggedAt < INTERVAL_MS && progress.done < progress.total) return;
    loggedAt = now;
    logger.info(progress, 'migrating the database');
  };
}
