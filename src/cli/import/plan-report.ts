import { grouped } from '../../domain/text.js';
import { table } from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';
import type { Column } from './column-plan.js';
import type { Conversions } from './file-scan.js';
import type { EmptyCells } from './import-options.js';
import type { ImportFile } from './open-import-file.js';
import type { Preset } from './presets/preset.js';
import type { RepeatedIds, Repetitions } from './repeated-ids.js';

const MAX_LENGTH = 40;
const MAX_SAMPLES_LENGTH = 70;
const MAX_CHOICES = 8;
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** Shows which column is sent as which field. */
export function columnsText(
  importFile: ImportFile,
  columns: readonly Column[],
  { emptyCells, preset }: { readonly emptyCells: EmptyCells; readonly preset: Preset | undefined },
): string {
  const head = [importFile.format === 'csv' ? 'COLUMN' : 'FIELD IN FILE', 'FIELD', 'TYPE', ''];
  const rows = columns.map(({ name, field, type, isNew, reason, problem }) => [
    printable(name) || '(no name)',
    field === undefined ? (problem === undefined ? '– not sent' : '?') : printable(field),
    isNew ? 'new' : printable(type),
    reason,
  ]);
  const lines = [`${importFile.name}: ${describeFormat(importFile, emptyCells)}`];
  if (preset !== undefined) {
    lines.push(`Columns are mapped as in exports of ${preset.label}; --from none does not do that.`);
  }
  lines.push('', table(head, rows), '');
  const left = columns.filter(({ isUndeclared }) => isUndeclared).length;
  if (left > 0) {
    const what =
      left === 1
        ? '1 column is not sent, because its attribute is'
        : `${left} columns are not sent, because their attributes are`;
    lines.push(`${what} not declared. --declare proposes types for them and declares them.`, '');
  }
  return lines.join('\n');
}

function describeFormat({ format, delimiter }: ImportFile, emptyCells: EmptyCells): string {
  if (format !== 'csv') return format === 'json' ? 'a JSON array.' : 'JSON, one record per line.';
  const name = DELIMITERS[delimiter] ?? delimiter;
  const empty =
    emptyCells === 'clear'
      ? 'clears the stored value (--empty keep keeps it)'
      : 'keeps the stored value (--empty clear clears it)';
  return `CSV, separated by ${name}. An empty cell ${empty}.`;
}

/** Shows what is known after all values were read: conversions, new attributes, repeated ids. Empty if nothing is. */
export function valuesText(conversions: Conversions, ids: RepeatedIds): string {
  return [...conversionTable(conversions), ...attributeTable(conversions), ...repetitionLines(ids)].join(
    '\n\n',
  );
}

function conversionTable(conversions: Conversions): string[] {
  const rows = [...conversions.values()].flatMap(({ column, uses }) =>
    uses.map(({ reading, count, samples }) => [
      printable(column.name),
      grouped(count),
      reading.label,
      fewSamples(samples.map(({ from, to }) => `${shown(from)} → ${shown(to)}`)),
    ]),
  );
  return rows.length === 0 ? [] : [table(['CONVERTED', 'VALUES', 'HOW', 'FOR EXAMPLE'], rows)];
}

/** As many as fit, and at least one. */
function fewSamples(samples: readonly string[]): string {
  return samples.reduce((text, sample) => {
    const longer = text === '' ? sample : `${text}, ${sample}`;
    return text === '' || longer.length <= MAX_SAMPLES_LENGTH ? longer : text;
  }, '');
}

function attributeTable(conversions: Conversions): string[] {
  const rows = [...conversions].flatMap(([field, { column, proposal }]) =>
    proposal === undefined ? [] : [[printable(field), typeText(proposal), printable(column.name)]],
  );
  const empty = [...conversions.values()].flatMap(({ column, isUnsent }) =>
    isUnsent ? [printable(column.name)] : [],
  );
  const undeclared = [...conversions.values()].flatMap(({ column, proposal, isUnsent }) =>
    column.isNew && proposal === undefined && !isUnsent ? [printable(column.name)] : [],
  );
  return [
    ...(rows.length === 0 ? [] : [table(['NEW ATTRIBUTE', 'TYPE', 'FROM'], rows)]),
    ...(undeclared.length === 0
      ? []
      : [`Sent, but not declared, because no type fits all their values: ${undeclared.join(', ')}`]),
    ...(empty.length === 0
      ? []
      : [`Not sent and not declared, because they have no values: ${empty.join(', ')}`]),
  ];
}

function typeText({ type, choices }: { readonly type: string; readonly choices: readonly string[] }): string {
  if (type !== 'choice') return type;
  const more = choices.length > MAX_CHOICES ? ` and ${grouped(choices.length - MAX_CHOICES)} more` : '';
  return printable(`choice: ${choices.slice(0, MAX_CHOICES).join(', ')}${more}`);
}

function repetitionLines({ same, otherSpelling, isFull }: RepeatedIds): string[] {
  const lines: string[] = [];
  if (same.count > 0) {
    lines.push(`${counted(same)} an id that an earlier row has; the later row wins: ${examples(same)}.`);
  }
  if (otherSpelling.count > 0) {
    lines.push(
      `${counted(otherSpelling)} an id that differs from that of an earlier row only by case or Unicode form, which is ` +
        `the same account: ${examples(otherSpelling)}.`,
    );
  }
  if (isFull)
    lines.push('The file has more ids than can be compared; repeated ones further down are not counted.');
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function counted({ count }: Repetitions): string {
  return count === 1 ? '1 row has' : `${grouped(count)} rows have`;
}

function examples({ examples: some }: Repetitions): string {
  return some
    .map(
      ({ id, line, firstLine }) => `${shown(id)} in line ${grouped(line)}, as in line ${grouped(firstLine)}`,
    )
    .join('; ');
}

/** Texts with quotes only where blanks would not be seen. */
function shown(value: unknown): string {
  const text = typeof value === 'string' && /^\S(.*\S)?$/.test(value) ? value : JSON.stringify(value);
  return printable(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text);
}
