import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    target: {
      url: string;
      keys: {
        plain: string;
        domains: string;
        strict: string;
        hosted: string;
        readOnly: string;
        admin: string;
        revoked: string;
        expired: string;
      };
      maxBodyBytes: number;
      maxBatch: number;
    };
  }
}

export const target = inject('target');
