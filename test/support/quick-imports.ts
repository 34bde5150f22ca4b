/**
 * Resolves what Vitest and files of the project import by the name of a file. Otherwise Vitest reports each import to its main process,
 * which only its watch mode reads, and gives each test file another address in each run, where Node does not find what V8 compiled of it
 * in the last one (NODE_COMPILE_CACHE).
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const IS_REGISTERED = Symbol.for('integration-gateway.quick-imports');
const OF_A_FILE = /^\.\.?\/[^?#%]*\.(?:ts|mjs|json)$/;
/** What Vitest adds to the address of a test file: the time. */
const AT_A_TIME = /%3Fvitest=\d+$/;

if (process.env.VITEST_MODE === 'RUN' && !(IS_REGISTERED in globalThis)) {
  Object.assign(globalThis, { [IS_REGISTERED]: true });
  const own = pathToFileURL(import.meta.filename).href;
  const loaded = new Set<string>();
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context;
      const url = specifier.replace(AT_A_TIME, '');
      // A test file that two projects run is loaded by each; this one is imported before every test file.
      if (url !== specifier && (url === own || !loaded.has(url))) {
        loaded.add(url);
        return { url, shortCircuit: true };
      }
      const isOfProject =
        OF_A_FILE.test(specifier) && parentURL.startsWith('file:') && !parentURL.includes('/node_modules/');
      return isOfProject ? { url: new URL(specifier, parentURL).href, shortCircuit: true } : next(specifier, context);
    },
  });
}
