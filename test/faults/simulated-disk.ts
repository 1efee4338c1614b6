import { dirname } from 'node:path';
import type { Random } from '../../dist/cli/demo/random.js';
import type { DiskCall } from './disk-calls.js';

/** The unit that a disk writes atomically, in bytes. */
const SECTOR = 512;

interface Operation {
  readonly begun: number;
  readonly ended: number;
}

interface ContentOperation extends Operation {
  /** The bytes to write at `offset`. Without them, the operation truncates the file to `offset`. */
  readonly data?: Buffer;
  readonly offset: number;
}

interface NameOperation extends Operation {
  readonly removed?: string;
  readonly added?: { readonly path: string; readonly node: Node };
}

/** A file or a directory. Directories have no content here. */
class Node {
  durable: Buffer = Buffer.alloc(0);
  pending: ContentOperation[] = [];

  constructor(readonly isDirectory: boolean) {}
}

/**
 * Simulates the files below a directory and what a power cut leaves of them.
 *
 * Synced data survives. Of later writes, any part may survive, in any order, down to single sectors. A name survives
 * when its directory was synced after the name was created.
 */
export class SimulatedDisk {
  /** The names that a running process sees. */
  readonly #names = new Map<string, Node>();
  readonly #durableNames = new Map<string, Node>();
  #pendingNames: NameOperation[] = [];

  /** The initial files count as synced. */
  constructor(root: string, files: ReadonlyMap<string, Buffer> = new Map()) {
    this.#durableNames.set(root, new Node(true));
    for (const [path, content] of files) {
      const node = new Node(false);
      node.durable = content;
      this.#durableNames.set(dirname(path), new Node(true)).set(path, node);
    }
    for (const [path, node] of this.#durableNames) this.#names.set(path, node);
  }

  apply(call: DiskCall): void {
    const { begun, ended } = call;
    if (call.kind === 'create') this.#create(call);
    else if (call.kind === 'remove') this.#rename({ begun, ended, removed: call.path });
    else if (call.kind === 'rename') {
      const added = { path: call.to, node: this.#node(call.path) };
      this.#rename({ begun, ended, removed: call.path, added });
    } else if (call.kind === 'write') this.#node(call.path).pending.push(call);
    else if (call.kind === 'truncate') this.#node(call.path).pending.push(call);
    else this.#sync(this.#node(call.path), call);
  }

  /** The files that the process sees. */
  current(): Map<string, Buffer> {
    return this.#files(this.#names, (node) => node.pending.reduce(applyOperation, node.durable));
  }

  /** Files that the disk may contain after a power cut. */
  afterPowerCut(random: Random): Map<string, Buffer> {
    const names = new Map(this.#durableNames);
    for (const operation of randomSubset(this.#pendingNames, random)) rename(names, operation);
    return this.#files(names, (node) => contentAfterPowerCut(node, random));
  }

  #node(path: string): Node {
    const node = this.#names.get(path);
    if (node === undefined) throw new Error(`There is no ${path}.`);
    return node;
  }

  #create({ path, isDirectory, begun, ended }: Extract<DiskCall, { kind: 'create' }>): void {
    if (this.#names.has(path)) return;
    this.#rename({ begun, ended, added: { path, node: new Node(isDirectory) } });
  }

  #rename(operation: NameOperation): void {
    rename(this.#names, operation);
    this.#pendingNames.push(operation);
  }

  #sync(node: Node, { path, begun }: DiskCall): void {
    const isCovered = ({ ended }: Operation) => ended < begun;
    if (node.isDirectory) {
      const isInside = ({ removed, added }: NameOperation) => dirname(removed ?? added?.path ?? '') === path;
      const covered = this.#pendingNames.filter((operation) => isCovered(operation) && isInside(operation));
      for (const operation of covered) rename(this.#durableNames, operation);
      this.#pendingNames = this.#pendingNames.filter((operation) => !covered.includes(operation));
    } else {
      node.durable = node.pending.filter(isCovered).reduce(applyOperation, node.durable);
      node.pending = node.pending.filter((operation) => !isCovered(operation));
    }
  }

  #files(names: ReadonlyMap<string, Node>, contentOf: (node: Node) => Buffer): Map<string, Buffer> {
    // The files of a directory are lost if the name of the directory is lost.
    const files = [...names].filter(([path, node]) => !node.isDirectory && names.has(dirname(path)));
    return new Map(files.map(([path, node]) => [path, contentOf(node)]));
  }
}

function rename(names: Map<string, Node>, { removed, added }: NameOperation): void {
  if (removed !== undefined) names.delete(removed);
  if (added !== undefined) names.set(added.path, added.node);
}

function applyOperation(content: Buffer, { data, offset }: ContentOperation): Buffer {
  if (data === undefined && offset <= content.length) return content.subarray(0, offset);
  const length = Math.max(content.length, offset + (data?.length ?? 0));
  const next = Buffer.alloc(length);
  content.copy(next);
  data?.copy(next, offset);
  return next;
}

/** A random subset: none, all, the first ones, or any. */
function randomSubset<T>(operations: readonly T[], random: Random): T[] {
  const choice = random.pick(['none', 'all', 'first', 'any'] as const);
  if (choice === 'any') return operations.filter(() => random.isChance(0.5));
  const count = { none: 0, all: operations.length, first: random.between(0, operations.length) }[choice];
  return operations.slice(0, count);
}

function contentAfterPowerCut({ durable, pending }: Node, random: Random): Buffer {
  const keepsWholeWrites = random.isChance(0.5);
  const kept = keepsWholeWrites
    ? randomSubset(pending, random)
    : pending.flatMap(sectorsOf).filter(() => random.isChance(0.5));
  return kept.reduce(applyOperation, durable);
}

/** Splits a write into sectors, each of which may or may not reach the disk. */
function sectorsOf(operation: ContentOperation): ContentOperation[] {
  const { data, offset, begun, ended } = operation;
  if (data === undefined) return [operation];
  const sectors: ContentOperation[] = [];
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + SECTOR - ((offset + at) % SECTOR));
    sectors.push({ data: data.subarray(at, end), offset: offset + at, begun, ended });
    at = end;
  }
  return sectors;
}
