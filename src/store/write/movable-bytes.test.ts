import { describe, expect, it } from 'vitest';
import { movableBytes } from './movable-bytes.js';

describe('movableBytes', () => {
  it('copies a buffer that shares its memory', () => {
    const small = Buffer.from('small');
    expect(small.buffer.byteLength).toBeGreaterThan(small.length);
    const bytes = movableBytes([small]);
    expect([Buffer.from(bytes).toString(), bytes.buffer.byteLength]).toEqual(['small', 5]);
  });

  it('returns a buffer with its own memory as it is', () => {
    const own = Buffer.alloc(100_000, 'x');
    expect(movableBytes([own])).toBe(own);
  });

  it('joins several buffers', () => {
    const bytes = movableBytes([Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')]);
    expect(Buffer.from(bytes).toString()).toBe('abc');
  });

  it('has no bytes for an empty buffer', () => {
    expect(movableBytes([Buffer.alloc(0)])).toHaveLength(0);
  });
});
