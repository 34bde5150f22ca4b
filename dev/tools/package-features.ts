/** What `npm run generate` makes from the folders of features in the packages: the lists that each package reads. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { array, camelCase, declared, HEAD, importsOf, inOrder, listOf, type Part } from './features.ts';

/** A file that a feature may have, whose members are spread into one record with those of the others. */
interface Spread {
  /** Name of the file in a feature's folder, without `.ts`; also the name of what it exports, in camel case. */
  readonly name: string;
  readonly list: string;
  readonly about: string;
  readonly constant: string;
  /** What it is made from, if it is a function; its result then has the name `type`. */
  readonly made?: { readonly of: string; readonly imports: string; readonly type: string };
}

const MANAGE = "import type { Manage } from '../management/manage.ts';";

/** The lists of a package. */
interface Package {
  readonly folder: string;
  readonly parts?: readonly Part[];
  readonly spreads?: readonly Spread[];
  /** Names of files that export what the package exports. */
  readonly exported?: string;
  /** Whether it has a list of the ids, which imports nothing. */
  readonly ids?: true;
}

/** The packages with folders of features. */
export const PACKAGES: readonly Package[] = [
  {
    folder: 'packages/cli/features',
    parts: [
      {
        name: 'commands',
        list: 'commands.ts',
        about: 'Commands of features.',
        constant: 'FEATURE_COMMANDS',
        type: '(program: Command) => void',
        imports: "import type { Command } from 'commander';",
      },
      {
        name: 'sealed-row',
        list: 'sealed-rows.ts',
        about: 'Places of the sealed values in rows of features.',
        constant: 'SEALED_ROWS',
        type: 'OpenPlaces',
        imports: "import type { OpenPlaces } from '../data-keys/feature-slots.ts';",
      },
      {
        name: 'recorded-record',
        list: 'recorded-records.ts',
        about: 'Records of features in the audit trail.',
        constant: 'RECORDED_RECORDS',
        type: 'RecordedRecord',
        imports: "import type { RecordedRecord } from '../restore/recorded-record.ts';",
      },
    ],
    spreads: [
      {
        name: 'restored-rows',
        list: 'restored-rows.ts',
        about: 'Rows of features that a restore brings back, by their type.',
        constant: 'RESTORED_ROWS',
      },
      {
        name: 'connection-rows',
        list: 'connection-rows.ts',
        about: 'Those that come back after the connections that they belong to.',
        constant: 'CONNECTION_ROWS',
      },
    ],
  },
  {
    folder: 'packages/client/src/features',
    exported: 'index',
    parts: [
      {
        name: 'key-reader',
        list: 'key-readers.ts',
        about: 'Read what features add to a secret key.',
        constant: 'KEY_READERS',
        type: 'KeyReader',
        imports: "import type { KeyReader } from '../management/feature-slots.ts';",
      },
      {
        name: 'limits-reader',
        list: 'limits-readers.ts',
        about: 'Read the limits of keys that features add.',
        constant: 'LIMITS_READERS',
        type: 'LimitsReader',
        imports: "import type { LimitsReader } from '../management/feature-slots.ts';",
      },
      {
        name: 'readiness-reader',
        list: 'readiness-readers.ts',
        about: "Read what features add to an integration's readiness.",
        constant: 'READINESS_READERS',
        type: 'ReadinessReader',
        imports: "import type { ReadinessReader } from '../management/feature-slots.ts';",
      },
    ],
    spreads: [
      {
        name: 'clients',
        list: 'clients.ts',
        about: 'Members of a client that features add.',
        constant: 'clientsOfFeatures',
        made: { of: 'manage: Manage', imports: MANAGE, type: 'ClientsOfFeatures' },
      },
      {
        name: 'keys',
        list: 'keys.ts',
        about: 'Methods of `client.keys` that features add.',
        constant: 'keysOfFeatures',
        made: { of: 'manage: Manage', imports: MANAGE, type: 'KeysOfFeatures' },
      },
    ],
  },
  {
    folder: 'packages/dashboard/src/features',
    ids: true,
    parts: [
      {
        name: 'feature',
        list: 'index.ts',
        about: 'What features add to the frame, by the id of the feature.',
        constant: 'FEATURES',
        type: 'DashboardFeature',
        imports: "import type { DashboardFeature } from '../model/feature-slots.ts';",
      },
      {
        name: 'pages',
        list: 'pages.ts',
        about: 'Pages of features by their paths.',
        constant: 'PAGES',
        type: 'Pages',
        imports: "import type { Pages } from '../model/feature-slots.ts';",
      },
      {
        name: 'attention',
        list: 'attention.ts',
        about: 'Buttons of problems in the overview.',
        constant: 'ATTENTION',
        type: 'AttentionButtons',
        imports: "import type { AttentionButtons } from '../model/feature-slots.ts';",
      },
      {
        name: 'entry-counts',
        list: 'entry-counts.ts',
        about: 'Counts behind entries of the navigation.',
        constant: 'ENTRY_COUNTS',
        type: 'EntryCounts',
        imports: "import type { EntryCounts } from '../model/feature-slots.ts';",
      },
      {
        name: 'audit-subject',
        list: 'audit-subjects.ts',
        about: 'What events are about that only a feature has.',
        constant: 'AUDIT_SUBJECTS',
        type: 'AuditSubject',
        imports: "import type { AuditSubject } from '../model/feature-slots.ts';",
        ending: 'tsx',
      },
      {
        name: 'connection-tab',
        list: 'connection-tabs.ts',
        about: 'Tabs of a connection.',
        constant: 'CONNECTION_TABS',
        type: 'ConnectionTab',
        imports: "import type { ConnectionTab } from '../model/feature-slots.ts';",
        ending: 'tsx',
      },
      {
        name: 'further-search',
        list: 'further-searches.ts',
        about: 'Searches for what is found nowhere else.',
        constant: 'FURTHER_SEARCHES',
        type: 'FurtherSearch',
        imports: "import type { FurtherSearch } from '../model/feature-slots.ts';",
      },
      {
        name: 'integrations-link',
        list: 'integrations-links.ts',
        about: 'Links of the page of integrations.',
        constant: 'INTEGRATIONS_LINKS',
        type: 'IntegrationsLink',
        imports: "import type { IntegrationsLink } from '../model/feature-slots.ts';",
      },
      {
        name: 'key-action',
        list: 'key-actions.ts',
        about: 'What can be done with a key.',
        constant: 'KEY_ACTIONS',
        type: 'KeyAction',
        imports: "import type { KeyAction } from '../model/feature-slots.ts';",
        ending: 'tsx',
      },
      {
        name: 'key-tab',
        list: 'key-tabs.ts',
        about: 'Tabs of a key.',
        constant: 'KEY_TABS',
        type: 'KeyTab',
        imports: "import type { KeyTab } from '../model/feature-slots.ts';",
        ending: 'tsx',
      },
      {
        name: 'new-key',
        list: 'new-keys.ts',
        about: 'Kinds of keys that are made in dialogs of their own.',
        constant: 'NEW_KEYS',
        type: 'NewKey',
        imports: "import type { NewKey } from '../model/feature-slots.ts';",
        ending: 'tsx',
      },
      {
        name: 'readiness-note',
        list: 'readiness-notes.ts',
        about: 'Notes about going live.',
        constant: 'READINESS_NOTES',
        type: 'ReadinessNote',
        imports: "import type { ReadinessNote } from '../model/feature-slots.ts';",
        ending: 'tsx',
      },
    ],
  },
];

/** The text of each list of a package, by its path below the folder of features. @param root the folder */
export function packageLists(
  { parts = [], spreads = [], exported, ids: hasIds }: Package,
  root: string,
): Readonly<Record<string, string>> {
  const ids = globSync('*/', { cwd: root })
    .map((path) => path.replace(/\/$/, ''))
    .toSorted();
  const having = (name: string) =>
    ids.filter((id) => ['ts', 'tsx'].some((end) => existsSync(join(root, id, `${name}.${end}`))));
  return {
    ...Object.fromEntries(parts.map((part) => [part.list, listOf(part, having(part.name))])),
    ...Object.fromEntries(spreads.map((spread) => [spread.list, spreadOf(spread, having(spread.name))])),
    ...(hasIds === undefined ? {} : { 'ids.ts': idsList(ids) }),
    ...(exported === undefined ? {} : { 'index.ts': exportsOf(having(exported)) }),
  };
}

function idsList(ids: readonly string[]): string {
  const list = array(
    'export const FEATURE_IDS: readonly string[] =',
    ids.map((id) => `'${id}'`),
  );
  return `${HEAD}/** Features that the dashboard has parts of. */\n${list}\n`;
}

function exportsOf(ids: readonly string[]): string {
  const lines = ids.map((id) => `export * from './${id}/index.ts';\n`);
  return `${HEAD}${ids.length === 0 ? 'export {};\n' : lines.join('')}`;
}

function spreadOf({ name, about, constant, made }: Spread, ids: readonly string[]): string {
  const names = ids.map(camelCase);
  if (made === undefined) {
    const list = declared(
      `export const ${constant} =`,
      names.map((one) => `...${one}`),
    );
    return `${HEAD}${importsOf(name, ids)}\n/** ${about} */\n${list}\n`;
  }
  const members = names.map((one) => `  ...${one}(${made.of.slice(0, made.of.indexOf(':'))}),\n`).join('');
  const types = names.length === 0 ? 'object' : names.map((one) => `ReturnType<typeof ${one}>`).join(' & ');
  const line = `export type ${made.type} = ${types};`;
  const broken = `export type ${made.type} = ${names.map((one) => `ReturnType<typeof ${one}>`).join(' &\n  ')};`;
  const body = names.length === 0 ? '{}' : `{\n${members}}`;
  return `${HEAD}${inOrder(`${made.imports}\n${importsOf(name, ids)}`)}
/** ${about} */
${line.length <= 120 ? line : broken}
/** Makes them. */
export const ${constant} = (${names.length === 0 ? '_' : ''}${made.of}): ${made.type} => (${body});
`;
}
