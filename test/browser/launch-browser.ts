import { type Browser, chromium } from 'playwright-core';
import type { BrowserLaunch } from './unpack-chromium.js';

export function launchBrowser({ browser, env }: BrowserLaunch): Promise<Browser> {
  return chromium.launch({
    ...browser,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
  });
}

/** Without a font every text is 0 × 0 pixels, and each test would wait in vain for what it looks for. */
export async function expectFonts(launch: BrowserLaunch): Promise<void> {
  const browser = await launchBrowser(launch);
  try {
    const page = await browser.newPage();
    await page.setContent('<span>text</span>');
    const box = await page.locator('span').boundingBox();
    if (box !== null && box.width > 0) return;
    throw new Error(
      'The browser of the tests shows no text, since it finds no fonts: see packaged-fonts.ts.',
    );
  } finally {
    await browser.close();
  }
}
