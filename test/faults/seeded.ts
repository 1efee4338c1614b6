import { randomInt } from 'node:crypto';
import { Random } from '../../dist/cli/demo/random.js';
import type { Trial } from './trial.js';

/** Chance that the summary tells how to repeat: with its seed as `FAULTS_SEED`. */
export function seeded(trial: Trial): Random {
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(1_000_000));
  trial.figures.seed = seed;
  return new Random(seed);
}
