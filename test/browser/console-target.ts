import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { freshDirectory, runJson, Service, type Settings } from '../support/service.js';
import { expectFonts } from './launch-browser.js';
import { type BrowserLaunch, unpackChromium } from './unpack-chromium.js';

declare module 'vitest' {
  interface ProvidedContext {
    consoleUrl: string;
    /** Of the demo: one that may do everything, one that may only read. */
    consoleKeys: { readonly all: string; readonly read: string };
    /** For commands beside the server, on the same database. */
    consoleSettings: Settings;
    browserLaunch: BrowserLaunch;
  }
}

/** One server with the demo's tenant, and a browser, for all browser tests. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  const filling = runJson(service.settings, 'demo');
  const { directory, ...launch } = await unpackChromium();
  const end = async () => {
    await service.stopAndRemove();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  };
  const [demo] = await Promise.all([filling, expectFonts(launch)]).catch(async (error) => {
    await end();
    throw error;
  });
  provide('consoleUrl', service.url);
  provide('consoleKeys', { all: demo.admin_key.key, read: demo.read_key.key });
  provide('consoleSettings', service.settings);
  provide('browserLaunch', launch);
  return end;
}
