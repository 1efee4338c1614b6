import { onTestFinished } from 'vitest';
import { Service } from '../support/service.js';

/** Starts `count` servers on one PostgreSQL database, until the test ends. The first one has printed the key. */
export async function startServices(database: string, count: number): Promise<Service[]> {
  const services: Service[] = [];
  while (services.length < count) {
    const service = await Service.start({ ACCOUNT_SYNC_LOG_LEVEL: 'silent', DATABASE_URL: database });
    onTestFinished(async () => {
      await service.stop('SIGKILL');
    });
    services.push(service);
  }
  return services;
}
