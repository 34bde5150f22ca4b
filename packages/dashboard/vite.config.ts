import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const NO_PARSER = createRequire(import.meta.url)
  .resolve('@formatjs/icu-messageformat-parser')
  .replace(/index\.js$/, 'lib/no-parser.js');

// A caller's own NODE_ENV, such as a test run's, would make a build of React for development.
process.env.NODE_ENV = 'production';

/** Parts of the component library that the dashboard does not use and that add to the weight of every page. */
export const UNUSED = {
  /** Places with colours of their own: the library's top navigation and high-contrast header. */
  contexts: ['content-header', 'top-navigation'],
  /** Values of its theme by the beginnings of their names: those of components that the dashboard does not have. */
  tokens: [
    ...['border-width-action', 'color-background-action', 'color-background-avatar', 'color-background-chat'],
    ...['color-background-code', 'color-background-dialog', 'color-background-drawer'],
    ...[
      'color-background-layout-toggle',
      'color-background-progress',
      'color-background-side',
      'color-background-slider',
    ],
    ...[
      'color-background-toggle-button',
      'color-board',
      'color-border-action',
      'color-border-code',
      'color-border-dialog',
    ],
    ...['color-border-divider-panel', 'color-border-panel', 'color-border-toggle', 'color-charts', 'color-drag'],
    ...['color-dropzone', 'color-text-action', 'color-text-chat', 'color-text-code', 'color-text-layout'],
    ...['color-text-side', 'color-text-toggle', 'color-text-tutorial', 'shadow-split', 'space-action', 'space-content'],
    ...['space-dialog', 'space-layout', 'space-panel'],
  ],
  /** Components with many texts. */
  texts: [
    ...['annotation-context', 'code-editor', 'collection-preferences', 'date-range-picker', 'file-upload', 'list'],
    ...['prompt-input', 'property-filter', 's3-resource-selector', 'split-panel', 'tag-editor', 'tutorial-panel'],
  ],
} as const;

/** Icons of the component library that some code of the build names: a third of all. */
export const ICONS = [
  ...['angle-down', 'angle-left', 'angle-right', 'arrow-down', 'arrow-left', 'arrow-right', 'arrow-up', 'calendar'],
  ...[
    'call',
    'caret-down',
    'caret-down-filled',
    'caret-up-filled',
    'check',
    'close',
    'copy',
    'dot',
    'download',
    'edit',
  ],
  ...['ellipsis', 'expand', 'external', 'file', 'filter', 'gen-ai', 'group', 'key', 'keyboard', 'lock-private', 'menu'],
  ...['pause', 'play', 'refresh', 'remove', 'script', 'search', 'settings', 'share', 'status-in-progress'],
  ...['status-info', 'status-negative', 'status-not-started', 'status-pending', 'status-positive', 'status-stopped'],
  ...['status-warning', 'treeview-collapse', 'treeview-expand', 'undo'],
] as const;

/** One build for every deployment: what differs is read from `/config.json`. Nothing is inlined, for a strict CSP. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutUnused(), withLeanLeading(), withFetchAhead()],
  // The texts of the components come parsed; nothing else is parsed (formatjs, "Advanced Usage", "react-intl without parser").
  resolve: { alias: [{ find: /^@formatjs\/icu-messageformat-parser$/, replacement: NO_PARSER }] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: { output: { codeSplitting: { groups: partsOfStart() } } },
  },
});

/** Leaves these out: half of what the library's theme weighs, most of its texts, and two thirds of its icons. */
function withoutUnused(): Plugin {
  const places = UNUSED.contexts.join('|');
  const rule = new RegExp(`(?<=[{}]\\s*)\\.awsui-context-(?:${places})\\b[^{},]*\\{[^{}]*\\}`, 'g');
  const token = new RegExp(`--(?:${UNUSED.tokens.join('|')})-[a-z0-9-]+:[^;{}]*;`, 'g');
  const icon = /^ {4}"?([a-z0-9-]+)"?: React\.createElement\(.*?\)(?:,\n(?= {4}\S)|(?=\n\}))/gms;
  const isUsedIcon = (name: string) => ICONS.some((one) => one === name);
  const isUnused = (name: string) => UNUSED.texts.some((one) => one === name);
  return {
    name: 'without-unused',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('/internal/base-theme/')) return code.replaceAll(rule, '').replaceAll(token, '');
      if (id.endsWith('/icon/generated/icons.js')) {
        return code.replaceAll(icon, (all: string, name: string) => (isUsedIcon(name) ? all : ''));
      }
      if (!id.endsWith('/i18n/messages/all.en.js')) return undefined;
      return code.replace(/\{.*\}/s, (all) =>
        JSON.stringify(JSON.parse(all), (name, value) => (isUnused(name) ? undefined : value)),
      );
    },
  };
}

/** Marks a module's second copy. */
const LEADING = '?leading';

/**
 * Gives the code that leads to the issuer a copy of the library for OpenID Connect, of which the build keeps what that code uses. The
 * library is one module, which could otherwise be in one file of the build only.
 */
function withLeanLeading(): Plugin {
  return {
    name: 'with-lean-leading',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source !== 'oidc-client-ts' || importer?.endsWith('/session/begin-sign-in.ts') !== true) return undefined;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found === null ? undefined : { id: `${found.id}${LEADING}`, moduleSideEffects: false };
    },
    load: (id) => (id.endsWith(LEADING) ? readFile(id.slice(0, -LEADING.length), 'utf8') : undefined),
  };
}

/**
 * Lets the browser fetch what the first file will import, with the lowest priority and from the start: most of it is there when the
 * browser comes back from the issuer.
 */
function withFetchAhead(): Plugin {
  return {
    name: 'with-fetch-ahead',
    transformIndexHtml: {
      order: 'post',
      handler(page, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const named = (files: readonly string[]) => chunks.filter(({ fileName }) => files.includes(fileName));
        const later = chunks
          .filter(({ fileName }) => page.includes(fileName))
          .flatMap((one) => named(one.dynamicImports));
        const files = later.flatMap((one) => [one.fileName, ...one.imports, ...(one.viteMetadata?.importedCss ?? [])]);
        return [...new Set(files)]
          .filter((file) => !page.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'prefetch',
              as: file.endsWith('.css') ? 'style' : 'script',
              crossorigin: '',
              href: `/${file}`,
            },
            injectTo: 'head',
          }));
      },
    },
  };
}

/** A file of the build: modules that a rule names alike go into one, and of the rules that of the highest priority first. */
interface Part {
  priority: number;
  name(
    id: string,
    graph: { getModuleInfo(id: string): { readonly importers: readonly string[] } | null },
  ): string | null;
}

/**
 * The first page after the sign-in needs one file instead of forty small ones, which a phone fetches six at a time. The code that
 * renders a screen before it is a second file, and the code that leads to the issuer is separate from both.
 */
function partsOfStart(): Part[] {
  const leading = leadingFiles();
  const isBelow = (files: ReadonlySet<string>, name: string) => [...files].some((file) => file.endsWith(name));
  return [
    {
      priority: 3,
      name: (id, graph) => (isBelow(leading(id, graph), '/src/main.ts') ? 'start' : null),
    },
    {
      priority: 2,
      name: (id, graph) => {
        const files = leading(id, graph);
        return isBelow(files, '/src/screens.tsx') && !isBelow(files, '/src/main.ts') ? 'screens' : null;
      },
    },
    {
      priority: 1,
      name(id, graph) {
        const files = leading(id, graph);
        if (isBelow(files, '/src/main.ts') || isBelow(files, '/src/screens.tsx')) return null;
        return isBelow(files, '/src/app.tsx') || isBelow(files, '/overview/overview-page.tsx') ? 'first-page' : null;
      },
    },
  ];
}

/** Finds the files that import a module statically, including itself. */
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
