import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react(), compress()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // Nothing may be inlined: the page allows no data in the place of scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Compressed it is a third of that; the first load is bounded by a test.
    chunkSizeWarningLimit: 700,
  },
});

/** Once here rather than at each request: the server sends whichever form the browser takes. */
function compress(): Plugin {
  return {
    name: 'compress',
    generateBundle: {
      // After Vite has written into the scripts which styles their pages need.
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
