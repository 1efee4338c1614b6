import { workerData } from 'node:worker_threads';
import { openConnection } from './connection.js';
import { vacuumInto } from './copy-file.js';

const connection = openConnection(workerData.file);
try {
  vacuumInto(connection, workerData.into);
} finally {
  connection.close();
}
