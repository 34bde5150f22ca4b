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
    rolldownOptions: { output: { codeSplitting: { groups: partsOfStart() } } },
  },
});

/** A file of the build: modules that a rule names alike go into one, and of the rules that of the highest priority first. */
interface Part {
  priority: number;
  name(
    id: string,
    graph: { getModuleInfo(id: string): { readonly importers: readonly string[] } | null },
  ): string | null;
}

/**
 * What the first page after the sign-in needs is one file in place of forty small ones, which a phone fetches six at a time. What
 * the sign-in itself needs stays apart from it.
 */
function partsOfStart(): Part[] {
  const leading = leadingFiles();
  const isBelow = (files: ReadonlySet<string>, name: string) => [...files].some((file) => file.endsWith(name));
  return [
    {
      priority: 2,
      name: (id, graph) => {
        const files = leading(id, graph);
        return isBelow(files, '/src/main.tsx') && isBelow(files, '/src/app.tsx') ? 'start' : null;
      },
    },
    {
      priority: 1,
      name(id, graph) {
        const files = leading(id, graph);
        if (isBelow(files, '/src/main.tsx')) return null;
        return isBelow(files, '/src/app.tsx') || isBelow(files, '/overview/overview-page.tsx') ? 'first-page' : null;
      },
    },
  ];
}

/** Tells the files that lead to a module by imports that are not lazy, itself included. */
function leadingFiles() {
  const known = new Map<string, ReadonlySet<string>>();
  return (id: string, graph: Parameters<Part['name']>[1]): ReadonlySet<string> => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const found = new Set([id]);
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const importer of graph.getModuleInfo(next)?.importers ?? []) {
        if (!found.has(importer)) open.push(importer);
        found.add(importer);
      }
    }
    known.set(id, found);
    return found;
  };
}
