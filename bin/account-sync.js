#!/usr/bin/env node
import { prepare } from './prepare.js';

prepare();
await import('../dist/main.js');
