const TEXT = 25;
const INT4 = 23;
const INT8 = 20;
const BYTEA = 17;
const HEADER_BYTES = 20;

/** Arrays in PostgreSQL's binary format. In the text format, every quote of a JSON document would need an escape. */
export function textArray(values: readonly (string | null)[]): Buffer {
  let size = HEADER_BYTES + 4 * values.length;
  for (const value of values) if (value !== null) size += Buffer.byteLength(value);
  const array = withHeader(size, TEXT, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    const length = value === null ? -1 : array.write(value, at + 4);
    array.writeInt32BE(length, at);
    at += 4 + Math.max(length, 0);
  }
  return array;
}

export function bytesArray(values: readonly Uint8Array[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + 4 + length, HEADER_BYTES);
  const array = withHeader(size, BYTEA, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    array.writeInt32BE(value.length, at);
    array.set(value, at + 4);
    at += 4 + value.length;
  }
  return array;
}

export function intArray(values: readonly (number | null)[]): Buffer {
  const nulls = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0);
  const array = withHeader(HEADER_BYTES + 8 * values.length - 4 * nulls, INT4, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    array.writeInt32BE(value === null ? -1 : 4, at);
    at += 4;
    if (value === null) continue;
    array.writeInt32BE(value, at);
    at += 4;
  }
  return array;
}

export function bigintArray(values: readonly (number | null)[]): Buffer {
  const nulls = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0);
  const array = withHeader(HEADER_BYTES + 12 * values.length - 8 * nulls, INT8, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      array.writeInt32BE(-1, at);
      at += 4;
      continue;
    }
    array.writeInt32BE(8, at);
    array.writeInt32BE(Math.floor(value / 2 ** 32), at + 4);
    array.writeUInt32BE(value % 2 ** 32, at + 8);
    at += 12;
  }
  return array;
}

/** Header of an array with one dimension, lower bound 1, that may contain nulls. */
function withHeader(size: number, elementType: number, length: number): Buffer {
  const array = Buffer.allocUnsafe(size);
  [1, 1, elementType, length, 1].forEach((value, i) => {
    array.writeInt32BE(value, i * 4);
  });
  return array;
}
