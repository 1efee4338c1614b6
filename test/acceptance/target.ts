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
        /** An admin key of a tenant whose names and parents may be owned, which would disturb tests of other tenants. */
        owned: string;
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
