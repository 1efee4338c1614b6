import type { ListFilter } from '@account-sync/client';
import { InvalidArgumentError } from 'commander';

const FILTERS = ['id_prefix', 'name_prefix', 'parent', 'attribute', 'updated_since'];

/** For commander, which gives what an earlier `--filter` was read as. */
export function readFilter(text: string, earlier?: ListFilter): ListFilter {
  if (earlier !== undefined) throw new InvalidArgumentError('Give one filter at a time.');
  const [name = '', ...value] = text.split('=');
  if (FILTERS.includes(name) && value.length > 0) return { [name]: value.join('=') };
  throw new InvalidArgumentError(
    'Give id_prefix=…, name_prefix=…, parent=<account_id>, attribute=<name>:<value> or updated_since=<time>.',
  );
}
