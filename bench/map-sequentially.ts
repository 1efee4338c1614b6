/** Runs the work for one item at a time. With `Promise.all`, concurrent measurements would affect each other. */
export async function mapSequentially<T, U>(
  items: readonly T[],
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
