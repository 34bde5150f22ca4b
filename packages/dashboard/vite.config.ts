import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// A caller's own NODE_ENV, such as a test run's, would make a build of React for development.
process.env.NODE_ENV = 'production';

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
  },
});
