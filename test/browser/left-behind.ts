import type { Page } from 'playwright-core';

/** Run in the page: what it keeps in memory is found by the client of its queries, which the root of React leads to. */
const SCAN_BUDGET = `(async () => {
  const root = document.getElementById('root');
  const container = root[Object.keys(root).find((name) => name.startsWith('__reactContainer'))];
  const find = (fiber) =>
    fiber === null ? undefined : fiber.memoizedProps?.client ?? find(fiber.child) ?? find(fiber.sibling);
  const client = find(container.stateNode.current);
  const queries = client.getQueryCache().getAll().map(({ queryKey, state }) => [queryKey, state]);
  const mutations = client.getMutationCache().getAll().map(({ state }) => state);
  return {
    queries,
    mutations,
    storage: [{ ...localStorage }, { ...sessionStorage }, await indexedDB.databases(), await caches.keys()],
    address: [location.href, history.state, document.cookie, document.title],
    page: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
  };
})()`;

export interface LeftBehind {
  readonly queries: unknown[];
  readonly mutations: unknown[];
  readonly cookies: unknown[];
}

/** Everything in which a page could keep something: memory, storage, cookies, addresses, and what is seen. */
export async function leftBehind(page: Page): Promise<LeftBehind> {
  const inPage = await page.evaluate<LeftBehind>(SCAN_BUDGET);
  return { ...inPage, cookies: await page.context().cookies() };
}
