import type { TlsFiles } from '../../config.js';
import { BadCertificate, readCertificate } from '../../http/connection/certificate.js';
import type { Finding } from './finding.js';

const DAY_MS = 86_400_000;
/** Leaves enough time to renew the certificate by hand. */
const WARNING_DAYS = 14;

export async function examineCertificate(files: TlsFiles): Promise<Finding> {
  const check = 'certificate';
  try {
    const { subject, validUntil } = await readCertificate(files);
    const days = Math.floor((validUntil.getTime() - Date.now()) / DAY_MS);
    const until = validUntil.toISOString().slice(0, 10);
    const advice = 'Renew it; a running server loads the new files within seconds.';
    if (days < 0) return { check, state: 'warning', found: `${subject}, expired on ${until}`, advice };
    const found = `${subject}, valid until ${until}, ${days} days left`;
    return days < WARNING_DAYS ? { check, state: 'warning', found, advice } : { check, state: 'ok', found };
  } catch (error) {
    if (!(error instanceof BadCertificate)) throw error;
    const advice =
      'A running server keeps its current certificate, but no server can start with these files.';
    return { check, state: 'failed', found: error.message, advice };
  }
}
