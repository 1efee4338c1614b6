import { readFileSync } from 'node:fs';
import { PROGRAM_DIRECTORY } from './program-directory.js';

export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', PROGRAM_DIRECTORY), 'utf8'),
).version;
