import { compare } from './matching-accounts.js';
import type { TenantModel } from './tenant-model.js';

const parentOf = (model: TenantModel, id: string) =>
  model.accounts.get(id)?.get('parent_account_id') as string | undefined;

export function childrenOf(model: TenantModel, parent: string): string[] {
  return model.listed.filter((id) => parentOf(model, id) === parent).toSorted(compare);
}

/** The ancestors, nearest first. */
export function ancestorsOf(model: TenantModel, id: string) {
  const path = [id];
  for (;;) {
    const parent = parentOf(model, path.at(-1) as string);
    const end = { ids: path.slice(1), missing_parent: null, cycle: null };
    if (parent === undefined) return end;
    if (path.includes(parent)) return { ...end, cycle: [...path.slice(path.indexOf(parent)), parent] };
    if (!model.accounts.has(parent)) return { ...end, missing_parent: parent };
    path.push(parent);
  }
}

/** The descendants, depth first; each as the path from the root to it. */
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
