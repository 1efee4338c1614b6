import type { Page } from 'playwright-core';

/** Runs in the page. Finds the query client in the React tree and reads all state that the page keeps. */
const READ_PAGE_STATE = `(async () => {
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

export interface RetainedState {
  readonly queries: unknown[];
  readonly mutations: unknown[];
  readonly cookies: unknown[];
}

/** All state in which a page could keep a secret: caches, storage, cookies, URL, and the document. */
export async function retainedState(page: Page): Promise<RetainedState> {
  const inPage = await page.evaluate<RetainedState>(READ_PAGE_STATE);
  return { ...inPage, cookies: await page.context().cookies() };
}
