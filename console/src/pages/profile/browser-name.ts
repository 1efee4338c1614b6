/** By a part of the User-Agent. The order matters: most browsers also name those that they are compatible with. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS|e)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Such as “Firefox on Linux”, from the header User-Agent. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser';
  const browser = find(BROWSERS, userAgent);
  const system = find(SYSTEMS, userAgent);
  // A program, such as curl, begins with its name.
  const name = browser ?? /^[A-Za-z][\w.-]*(?=\/)/.exec(userAgent.replace(/^Mozilla\b.*/, ''))?.[0];
  return `${name ?? 'Unknown browser'}${system === undefined ? '' : ` on ${system}`}`;
}

function find(names: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
