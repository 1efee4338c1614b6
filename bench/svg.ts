/** Colours that most people can distinguish: each for a light and for a dark background. */
const COLOURS = [
  ['#6e7781', '#8b949e'],
  ['#b35900', '#f0883e'],
  ['#0969da', '#58a6ff'],
  ['#1a7f37', '#3fb950'],
] as const;

const style = (theme: 0 | 1, ink: string, faint: string) => [
  `text { fill: ${ink}; }`,
  `.faint { fill: ${faint}; }`,
  `.grid { stroke: ${faint}; stroke-opacity: 0.35; }`,
  `.goal { stroke: ${ink}; stroke-width: 2; }`,
  ...COLOURS.map((pair, i) => `.s${i} { fill: ${pair[theme]}; stroke: ${pair[theme]}; }`),
  ...COLOURS.map((pair, i) => `.t${i} { fill: ${pair[theme]}; font-weight: 600; }`),
  '.line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }',
];

/** An SVG without a background. It follows the light or dark theme of the reader. */
export function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  const light = style(0, '#1f2328', '#59636e').map((rule) => `    ${rule}`);
  const dark = style(1, '#e6edf3', '#9198a1').map((rule) => `      ${rule}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    `  font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13" role="img">`,
    `  <title>${title}</title>`,
    '  <style>',
    ...light,
    '    @media (prefers-color-scheme: dark) {',
    ...dark,
    '    }',
    '  </style>',
    `  ${text(16, 26, title, 'font-size="16" font-weight="600"')}`,
    ...parts.map((part) => `  ${part}`),
    '</svg>',
    '',
  ].join('\n');
}

export function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${content}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, kind: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${kind}"/>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Round values from 0 to at least `most`, about five of them. */
export function ticks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each * 5 >= most) ?? most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
