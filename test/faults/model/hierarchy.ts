import { compare } from './found-accounts.js';
import type { TenantModel } from './tenant-model.js';

const parentOf = (model: TenantModel, id: string) =>
  model.accounts.get(id)?.get('parent_account_id') as string | undefined;

export function childrenOf(model: TenantModel, parent: string): string[] {
  return [...model.accounts.keys()].filter((id) => parentOf(model, id) === parent).toSorted(compare);
}

/** Nearest first. */
export function wayUp(model: TenantModel, id: string) {
  const way = [id];
  for (;;) {
    const parent = parentOf(model, way.at(-1) as string);
    const end = { ids: way.slice(1), missing_parent: null, cycle: null };
    if (parent === undefined) return end;
    if (way.includes(parent)) return { ...end, cycle: [...way.slice(way.indexOf(parent)), parent] };
    if (!model.accounts.has(parent)) return { ...end, missing_parent: parent };
    way.push(parent);
  }
}

/** Depth first, each by the way to it. */
export function descendantsOf(model: TenantModel, root: string) {
  const paths: string[][] = [];
  let cycle: string[] | null = null;
  const descend = (id: string, above: string[]) => {
    for (const child of childrenOf(model, id)) {
      const path = [...above, child];
      if (child === root) cycle = [root, ...path];
      else {
        paths.push(path);
        descend(child, path);
      }
    }
  };
  descend(root, []);
  return { paths, cycle };
}
