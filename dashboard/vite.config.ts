import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** One build for every deployment: what differs is read from `/config.json`. Nothing is inlined, for a strict CSP. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    manifest: true,
  },
});
