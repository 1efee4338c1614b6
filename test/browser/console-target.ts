import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { freshDirectory, runJson, Service, type Settings } from '../support/service.js';
import { type BrowserLaunch, expectFonts } from './launch-browser.js';
import { unpackChromium } from './unpack-chromium.js';

declare module 'vitest' {
  interface ProvidedContext {
    consoleUrl: string;
    /** Keys of the demo tenant: one with all scopes, one with the scope read only. */
    consoleKeys: { readonly all: string; readonly read: string };
    /** For commands that use the server's database. */
    consoleSettings: Settings;
    browserLaunch: BrowserLaunch;
  }
}

/** Starts one server with the demo tenant, and prepares a browser, for all browser tests. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const service = await Service.start({
    ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
    // The receivers of the tests' webhooks.
    ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  });
  const demoCreated = runJson(service.settings, 'demo');
  const { directory, ...launch } = await unpackChromium();
  const end = async () => {
    await service.stopAndRemove();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  };
  const [demo] = await Promise.all([demoCreated, expectFonts(launch)]).catch(async (error) => {
    await end();
    throw error;
  });
  provide('consoleUrl', service.url);
  provide('consoleKeys', { all: demo.admin_key.key, read: demo.read_key.key });
  provide('consoleSettings', service.settings);
  provide('browserLaunch', launch);
  return end;
}
