import { describe, expect, it } from 'vitest';
import { browserName } from './browser-name';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X)';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('browserName', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox on Windows',
    ],
    [
      `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
      'Firefox on iPhone',
    ],
    [`${LINUX} ${WEBKIT} Chrome/147.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`${LINUX} ${WEBKIT} HeadlessChrome/147.0.0.0 Safari/537.36`, 'Headless Chrome on Linux'],
    [`${ANDROID} ${WEBKIT} Chrome/147.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/147.0.0.0 Mobile/15E148 Safari/604.1`,
      'Chrome on iPhone',
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/147.0.0.0 Safari/537.36`,
      'Chrome on ChromeOS',
    ],
    [`${WINDOWS} ${WEBKIT} Chrome/147.0.0.0 Safari/537.36 Edg/147.0.0.0`, 'Edge on Windows'],
    [`${WINDOWS} ${WEBKIT} Chrome/147.0.0.0 Safari/537.36 OPR/130.0.0.0`, 'Opera on Windows'],
    [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
    [
      `${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
    ],
    [
      `${ANDROID} ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    ['curl/8.14.1', 'curl'],
    ['node', 'Unknown browser'],
    ['Mozilla/5.0 (compatible)', 'Unknown browser'],
    [`${LINUX} Something/1.0`, 'Unknown browser on Linux'],
    ['', 'Unknown browser'],
    [null, 'Unknown browser'],
  ])('of %s is %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});
