import { workerData } from 'node:worker_threads';
import { vacuumInto } from './back-up.js';
import { openConnection } from './connection.js';

const connection = openConnection(workerData.file);
try {
  vacuumInto(connection, workerData.into);
} finally {
  connection.close();
}
