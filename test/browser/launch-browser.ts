import { type Browser, chromium } from 'playwright-core';

/** How to start a browser, in a serialisable form for other processes. */
export interface BrowserLaunch {
  readonly browser: { readonly executablePath: string } | { readonly channel: string };
  readonly env: Record<string, string>;
}

export function launchBrowser({ browser, env }: BrowserLaunch): Promise<Browser> {
  return chromium.launch({
    ...browser,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
  });
}

/** Without a font every text is 0 × 0 pixels, and each test would time out waiting for visible text. */
export async function expectFonts(launch: BrowserLaunch): Promise<void> {
  const browser = await launchBrowser(launch);
  try {
    const page = await browser.newPage();
    await page.setContent('<span>text</span>');
    const box = await page.locator('span').boundingBox();
    if (box !== null && box.width > 0) return;
    throw new Error(
      'The browser of the tests shows no text, because it finds no fonts. See packaged-fonts.ts.',
    );
  } finally {
    await browser.close();
  }
}
