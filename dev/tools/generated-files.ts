import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './run.ts';

const PYTHON_CLIENT = 'packages/python/src/integration_gateway';

/** Makes some of the generated files. */
interface Generator {
  readonly name: string;
  /** The text of each file, by its path from the project's folder. */
  files(): Promise<Readonly<Record<string, string>>>;
}

/** Paths below a folder. */
function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

/**
 * Everything that `npm run generate` writes, in this order. Each imports its sources only when it runs: the API's document has
 * the catalogue of providers in it, which the first one may just have written.
 */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'catalogue of providers',
    async files() {
      const folder = 'lambdas/gateway/providers';
      const { catalogueFiles } = await import('./providers.ts');
      return below(folder, await catalogueFiles(join(PROJECT_ROOT, folder)));
    },
  },
  {
    name: 'lists of features',
    async files() {
      const folder = 'lambdas/features';
      const { featureLists } = await import('./features.ts');
      return below(folder, await featureLists(join(PROJECT_ROOT, folder)));
    },
  },
  {
    name: 'lists of features in packages',
    async files() {
      const { PACKAGES, packageLists } = await import('./package-features.ts');
      const lists = PACKAGES.map((one) => below(one.folder, packageLists(one, join(PROJECT_ROOT, one.folder))));
      return Object.assign({}, ...lists);
    },
  },
  {
    name: 'wire half of the TypeScript client',
    async files() {
      const { clientFiles } = await import('./client-types.ts');
      return below('packages/client/src/management', clientFiles());
    },
  },
  {
    name: 'generated half of the Python client',
    async files() {
      const { pythonClientFiles } = await import('./python-client.ts');
      return below(PYTHON_CLIENT, pythonClientFiles());
    },
  },
  {
    name: 'Python client that waits for its answers',
    async files() {
      const { waitingClient } = await import('./waiting-client.ts');
      return below(PYTHON_CLIENT, { '_client.py': waitingClient(read(`${PYTHON_CLIENT}/_async_client.py`)) });
    },
  },
  {
    name: 'documents of events',
    async files() {
      const { EVENT_WORDS, EVENTS_PAGE, eventsPage, eventWords } = await import('./event-documents.ts');
      return { [EVENTS_PAGE]: eventsPage(read(EVENTS_PAGE)), [EVENT_WORDS]: eventWords() };
    },
  },
  {
    name: 'reference and types of the construct package',
    async files() {
      const { constructPage } = await import('./construct-reference.ts');
      const { constructReport } = await import('./construct-report.ts');
      return { 'lib/REFERENCE.md': constructPage(), 'lib/api-report.txt': await constructReport() };
    },
  },
  {
    name: 'security report',
    async files() {
      const { currentSecurityReport, securityPage } = await import('./security-report.ts');
      return {
        'contributing/security-statements.md': currentSecurityReport(),
        'SECURITY.md': securityPage(read('SECURITY.md')),
      };
    },
  },
  {
    name: 'coverage of the simulator',
    async files() {
      const { simulatorCoverage, simulatorSources } = await import('./simulator-coverage.ts');
      return {
        'packages/simulator/METHODS.md': simulatorCoverage(),
        'contributing/simulator-sources.md': simulatorSources(),
      };
    },
  },
  {
    name: 'costs',
    async files() {
      const { costDetailsPage, costsPage } = await import('./costs.ts');
      return { 'docs/costs.md': costsPage(), 'contributing/cost-details.md': costDetailsPage() };
    },
  },
  {
    name: 'schemas of the simulator',
    async files() {
      const { compactSchemas, installedDocuments, SCHEMAS_FILE } = await import('./google-schemas.ts');
      // The second opinion `google-python-client` installs what they are made from, and compares them.
      const read = installedDocuments();
      return read === undefined ? {} : { [SCHEMAS_FILE]: compactSchemas(read) };
    },
  },
];

function read(path: string): string {
  const file = join(PROJECT_ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Whether a file holds a text. @param path from the project's folder */
export function isCurrent(path: string, text: string): boolean {
  return read(path) === text;
}
