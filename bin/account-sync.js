#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A clone has sources, and installs and builds what is out of date. The package is built already.
if (existsSync(new URL('../src', import.meta.url))) {
  await (await import('./prepare.js')).prepare();
  await import('../dist/main.js');
} else {
  await import('../program/main.js');
}
