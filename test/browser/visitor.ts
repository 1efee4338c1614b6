import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { launchBrowser } from './launch-browser.js';
import type { Person } from './people.js';

/** Directory for screenshots of every inspected page. Without it, none are taken. */
const SCREENSHOTS_DIR = process.env.PICTURES;

/** `npm test` uses one screen width and skips axe. `npm run test:all` runs both widths with axe. */
const IS_QUICK = process.env.TEST_RING === 'quick';

/** For `describe.each`: runs tests at desktop and phone width. */
export const WIDTHS = IS_QUICK ? [{ onPhone: false }] : [{ onPhone: false }, { onPhone: true }];

/** Runs in the page. During a theme transition, colours belong to neither theme. */
const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
)`;

export interface VisitOptions {
  /** Uses the width of a phone. */
  readonly onPhone?: boolean;
  readonly timeZone?: string;
  /** Another server than the shared one. */
  readonly url?: string;
}

/** Starts a browser for the tests of a file. */
export function browserForTests(): { visit(options?: VisitOptions): Promise<Visitor> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(inject('browserLaunch'));
  });
  afterAll(() => browser.close());
  return { visit: (options) => Visitor.arrive(browser, options) };
}

/** A user of the console in a separate browser context. Records every error that the browser reports. */
export class Visitor {
  /** Errors in the browser's console, violations of the content security policy, requests to other hosts. */
  readonly #problems: string[] = [];

  private constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  static async arrive(browser: Browser, options: VisitOptions = {}): Promise<Visitor> {
    const { onPhone = false, timeZone = 'Europe/Berlin', url = inject('consoleUrl') } = options;
    const context = await browser.newContext({
      viewport: onPhone ? { width: 390, height: 844 } : { width: 1280, height: 860 },
      locale: 'en-GB',
      timezoneId: timeZone,
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const visitor = new Visitor(page, url);
    visitor.#watch();
    return visitor;
  }

  /** Opens a page of the console, and signs in there. */
  async signIn(path = '', key: string = inject('consoleKeys').all): Promise<void> {
    await this.open(path);
    const field = await this.keyField();
    await field.fill(key);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await this.expectSignedIn();
  }

  /** The field for a key on the sign-in page, which is shown on request. */
  async keyField(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Use an API key instead' }).click();
    return this.page.getByLabel('Key', { exact: true });
  }

  /** Opens a page of the console, and signs in there as a person. */
  async signInAs({ email, password }: Person, path = ''): Promise<void> {
    await this.open(path);
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.keyboard.press('Enter');
    await this.expectSignedIn();
  }

  async expectSignedIn(): Promise<void> {
    // By its name, because the page of an account has a second navigation element.
    await this.page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  }

  async signOut(tenant: string): Promise<void> {
    await this.page.getByRole('button', { name: tenant, exact: true }).click();
    await this.page.getByRole('button', { name: 'Sign out' }).click();
    await this.expectSignedOut();
  }

  async expectSignedOut(): Promise<void> {
    await this.page.getByLabel('E-mail address').waitFor();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`);
  }

  /** Expects no accessibility violations in both themes and no recorded errors. Takes screenshots if requested. */
  async inspect(name: string): Promise<void> {
    // The pointer is where the last click was, and what is there now may have a tooltip.
    await this.page.mouse.move(0, 0);
    await this.page.locator('.mantine-Tooltip-tooltip').waitFor({ state: 'detached' });
    // Waits until everything is loaded.
    await this.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    if (IS_QUICK) return this.expectNoProblem();
    for (const theme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme: theme });
      await this.page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
      await this.page.evaluate(TRANSITIONS_END);
      await this.#screenshot(`${name}-${theme}`);
      // The themes differ only in colours, so only contrast is checked again.
      const rules = theme === 'dark' ? ['color-contrast'] : undefined;
      expect(await this.#violations(rules), `accessibility violations on ${name}, ${theme}`).toEqual([]);
    }
    this.expectNoProblem();
  }

  expectNoProblem(): void {
    expect(this.#problems).toEqual([]);
  }

  /** For a test that provokes errors: returns the recorded errors and clears them. */
  takeProblems(): string[] {
    return this.#problems.splice(0);
  }

  async leave(): Promise<void> {
    this.expectNoProblem();
    await this.page.context().close();
  }

  #watch(): void {
    const { page } = this;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#problems.push(message.text());
    });
    page.on('pageerror', (error) => this.#problems.push(String(error)));
    page.on('request', (request) => {
      const url = request.url();
      const isOwn = url.startsWith(`${this.url}/`) || url.startsWith('blob:') || url.startsWith('data:');
      if (!isOwn) this.#problems.push(`a request to ${url}`);
    });
  }

  async #screenshot(name: string): Promise<void> {
    if (SCREENSHOTS_DIR === undefined) return;
    await mkdir(SCREENSHOTS_DIR, { recursive: true });
    const width = this.page.viewportSize()?.width === 390 ? '-phone' : '';
    await this.page.screenshot({ path: join(SCREENSHOTS_DIR, `${name}${width}.png`), fullPage: true });
  }

  /** Violations of accessibility rules for keyboard, screen reader and low vision. */
  async #violations(runOnly?: string[]): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>('"axe" in window'))) await this.page.evaluate(axe.source);
    const options: RunOptions = { resultTypes: ['violations'], ...(runOnly && { runOnly }) };
    const { violations } = await this.page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }
}
