import type { ListFilter } from '@account-sync/client';
import { InvalidArgumentError } from 'commander';

const FILTERS = ['id_prefix', 'name_prefix', 'parent', 'attribute', 'updated_since'];

/** An option parser for commander; `earlier` is the result of an earlier `--filter`. */
export function readFilter(text: string, earlier?: ListFilter): ListFilter {
  if (earlier !== undefined) throw new InvalidArgumentError('Use only one --filter.');
  const [name = '', ...value] = text.split('=');
  if (FILTERS.includes(name) && value.length > 0) return { [name]: value.join('=') };
  throw new InvalidArgumentError(
    'Give id_prefix=…, name_prefix=…, parent=<account_id>, attribute=<name>:<value> or updated_since=<time>.',
  );
}
