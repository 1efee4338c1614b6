import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const SERVICE = `http://127.0.0.1:${process.env.ACCOUNT_SYNC_PORT ?? 8080}`;

export default defineConfig({
  base: '/console/',
  plugins: [react(), compress()],
  // For `npm run dev`: the console is reloaded here, and everything else comes from the service.
  server: { host: '127.0.0.1', proxy: { '/api': SERVICE, '/docs': SERVICE, '/openapi.json': SERVICE } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The content security policy forbids data: URLs for scripts and fonts, so no file may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One chunk of what most pages share, instead of one per set of pages: the first load is 2.5 kB smaller.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 8 }] } } },
    // Compression reduces it to a third. A browser test limits the size of the first load.
    chunkSizeWarningLimit: 700,
  },
});

/** Compresses once at build time instead of at each request. The server sends the form that the browser accepts. */
function compress(): Plugin {
  return {
    name: 'compress',
    generateBundle: {
      // Runs after Vite has written into the scripts which styles their pages need.
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(js|css|svg)$/.test(fileName)) continue;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source) });
        }
      },
    },
  };
}
