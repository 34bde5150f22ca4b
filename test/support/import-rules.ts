import { FEATURES as ALL } from '../../lambdas/features/index.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import type { Import } from './imports.ts';

/** A direction that imports keep: which files it speaks of, which of their imports it refuses, and what to do then. */
interface ImportRule {
  readonly name: string;
  readonly of: (from: string) => boolean;
  readonly refuses: (to: string, from: string) => boolean;
  readonly instead: string;
}

const GATEWAY = 'lambdas/gateway/';
const FUNCTION = /^lambdas\/(?!(?:gateway|features)\/)[^/]+\//;
const FEATURES = 'lambdas/features/';
/** The function `grants` serves a part of the management API's routes, and no others (decision 0100). */
const servesManagement = (from: string, to: string) =>
  from.startsWith('lambdas/grants/') && to.startsWith('lambdas/management/');

/** Files that put a function together, or the part of one that is read later. */
const WIRES_FUNCTION =
  /^lambdas\/(?!gateway\/)([^/]+\/(handler|wiring|dependencies)|proxy\/refresh|management\/api-handler)\.ts$/;

const isRules = (path: string) => path.endsWith('.rules.ts');
const isStore = (path: string) => path.endsWith('.store.ts');
const isPorts = (path: string) => path.endsWith('/ports.ts');
const isPackage = (path: string) => !/\.(ts|tsx|mjs|js|json)$/.test(path) || path.startsWith('node:');
const isCore = (path: string) => path.startsWith(`${GATEWAY}core/`);
const CONTRACT = `${GATEWAY}core/contract.ts`;
/** Write rights, from which policies are generated. */
const RIGHTS = `${GATEWAY}core/table-rights.ts`;
/** Texts of pages, one file a language: plain data. */
const isTranslation = (path: string) => /\/languages\/[a-z]{2}\.ts$/.test(path);
const isProviderData = (path: string) => path.startsWith(`${GATEWAY}providers/`) && !isRules(path);

/** Packages and modules of Node that reach the network, the disk or AWS. */
const reachesOut = (to: string) =>
  /^(@aws-sdk\/|@middy\/|aws-lambda$|node:(http|https|net|tls|dns|fs|process|child_process)(\/|$))/.test(to);

/** Node's module of sockets has the list of networks, too, which opens none. */
const readsAddresses = (from: string, to: string) => to === 'node:net' && from === `${GATEWAY}core/ip-networks.ts`;

/** Packages that pure code has no use for. */
const parsesOrSigns = (to: string) => /^(zod|jose|oauth4webapi)(\/|$)/.test(to);

/** A feature's id; undefined for files of no feature. */
const featureOf = (path: string) => /^lambdas\/features\/([^/]+)\//.exec(path)?.[1];
/** Whether a file is part of a feature's own function, in the function's folder. */
const isOfOwnFunction = (path: string) =>
  FUNCTION_NAMES.some((name) => featureOf(path) !== undefined && path.split('/')[3] === name);
/** Whether a feature is the importer's own, or one that it needs. */
const isOfNeeds = (to: string | undefined, from: string | undefined) =>
  to !== undefined && (to === from || ALL.some(({ id, needs }) => id === from && needs.some((need) => need === to)));
/** Files of a feature that put it together: what functions load later, and its routes. */
const WIRES_FEATURE =
  /\/(?:[^/]+\.lazy|attention|background|bound-callers|call-hooks|clearing|construct|core-operations|declared-kind|door-operations|due-work|evidence|grant-part|handler|hold|housekeeping|key-members|messages|readiness|risks|(?:grant-)?routes|services|token-verifier|wiring)\.ts$/;
/** Files of a feature that belong to the management API. */
const MANAGES_FEATURE = /\/(?:attention|known-projects|manage-[a-z]+|readiness|risks|(?:grant-)?routes)\.ts$/;
/** The parts of features for synth time. */
const isFeatureConstruct = (path: string) =>
  /^lambdas\/features\/(?:backgrounds|constructs|[^/]+\/(?:background|construct))\.ts$/.test(path);
/** Plain data of all features, a list that `npm run generate` writes. */
const isFeatureData = (path: string) => path === `${FEATURES}index.ts`;

/** The first folder of a file below `lambdas/`: a function's name, or `gateway`. */
const functionOf = (path: string) => /^lambdas\/([^/]+)\//.exec(path)?.[1];

/** The part of `lambdas/gateway/` that a file belongs to: a subject, or a file of its own. */
export const subjectOf = (path: string) =>
  path.startsWith(GATEWAY) ? path.slice(GATEWAY.length).split('/')[0] : undefined;

const below = (...folders: readonly string[]) => {
  return (path: string) => folders.some((folder) => path.startsWith(folder));
};

/** Every direction but the order of subjects, which is `SUBJECTS`. */
const RULES: readonly ImportRule[] = [
  {
    name: 'Functions never import each other',
    of: (from) => FUNCTION.test(from),
    refuses: (to, from) => FUNCTION.test(to) && functionOf(to) !== functionOf(from) && !servesManagement(from, to),
    instead: 'Move what both need to the subject of lambdas/gateway/ that it belongs to.',
  },
  {
    name: 'gateway/ never imports a function',
    of: below(GATEWAY),
    refuses: (to) => FUNCTION.test(to),
    instead: 'Move what it needs to a subject of lambdas/gateway/, or let the function hand it in.',
  },
  {
    name: 'The core knows no feature, only the lists of them',
    of: (from) => from.startsWith('lambdas/') && !from.startsWith(FEATURES),
    refuses: (to) => featureOf(to) !== undefined,
    instead:
      'Describe what it needs as a type of the core, let the feature implement it, and make a list in dev/tools/features.ts.',
  },
  {
    name: 'A feature imports gateway/, itself and features that it needs, and its parts of the management API and of declared resources those',
    of: (from) => featureOf(from) !== undefined,
    refuses: (to, from) =>
      to.startsWith('lambdas/') &&
      !to.startsWith(GATEWAY) &&
      to !== `${FEATURES}feature.rules.ts` &&
      !isOfNeeds(featureOf(to), featureOf(from)) &&
      !(MANAGES_FEATURE.test(from) && to.startsWith('lambdas/management/')) &&
      !(from.endsWith('/declared-kind.ts') && to.startsWith('lambdas/declared/')),
    instead: 'Move what both need to the subject of lambdas/gateway/ that it belongs to.',
  },
  {
    name: 'Functions import nothing of synth time, of the local runtime or of the tools',
    of: (from) => from.startsWith('lambdas/') && !isFeatureConstruct(from),
    refuses: (to) =>
      isFeatureConstruct(to) ||
      below('lib/', 'bin/', 'packages/', 'dev/', 'test/')(to) ||
      /^(aws-cdk-lib|constructs)(\/|$)/.test(to),
    instead: 'A name that the template and a function share goes into lambdas/gateway/core/contract.ts.',
  },
  {
    name: 'contract.ts imports nothing but the names of features',
    of: (from) => from === CONTRACT,
    refuses: (to) => !isFeatureData(to),
    instead: 'Write the name out in contract.ts, and let the other file import it from there.',
  },
  {
    name: 'core/ imports nothing but itself',
    of: isCore,
    refuses: (to, from) =>
      isPackage(to)
        ? (reachesOut(to) && !readsAddresses(from, to)) || parsesOrSigns(to)
        : !isCore(to) && !isFeatureData(to),
    instead: 'Take it as an argument, or move the rule to the subject whose words it uses.',
  },
  {
    name: 'Rules import core/ and other rules only',
    of: (from) => from.startsWith('lambdas/') && isRules(from),
    refuses: (to) => !isPackage(to) && !isCore(to) && !isRules(to) && !isTranslation(to) && !isFeatureData(to),
    instead:
      'Take it as an argument, move the type into the rules file, or make this file a use case without `.rules`.',
  },
  {
    name: 'Rules read no clock, network or environment',
    of: (from) => from.startsWith('lambdas/') && isRules(from),
    refuses: (to) => isPackage(to) && (reachesOut(to) || parsesOrSigns(to)),
    instead: 'Take it as an argument, or do it in a use case, a store or platform/.',
  },
  {
    name: 'ports.ts imports core/, rules and other ports only',
    of: (from) => below(GATEWAY, FEATURES)(from) && isPorts(from),
    refuses: (to) => (isPackage(to) ? reachesOut(to) : !isCore(to) && !isRules(to) && !isPorts(to)),
    instead: 'Declare the type in ports.ts or in a rules file, and let the use case import it from there.',
  },
  {
    name: 'providers/ are plain data: they import core/ and rules only',
    of: isProviderData,
    refuses: (to) =>
      isPackage(to) ? reachesOut(to) : !isCore(to) && !isRules(to) && !to.startsWith(`${GATEWAY}providers/`),
    instead: 'Describe what the provider does as data; what acts on it goes to the subject that acts.',
  },
  {
    name: 'platform/ lies below every subject: it imports core/ only',
    of: below(`${GATEWAY}platform/`),
    refuses: (to) => !isPackage(to) && !isCore(to) && !to.startsWith(`${GATEWAY}platform/`),
    instead: 'Move the type that it needs into core/ or into platform/ itself, or take the value as an argument.',
  },
  {
    name: 'http/ translates between the front door and core/: it imports core/ only',
    of: below(`${GATEWAY}http/`),
    refuses: (to) => !isPackage(to) && !isCore(to) && !to.startsWith(`${GATEWAY}http/`),
    instead: 'Take it as an argument, or move the file to the subject or the function that needs both.',
  },
  {
    name: 'A store imports core/, rules, ports, platform/ and other stores only',
    of: (from) => from.startsWith('lambdas/') && isStore(from),
    refuses: (to) =>
      !isPackage(to) &&
      !isCore(to) &&
      !isRules(to) &&
      !isPorts(to) &&
      !isStore(to) &&
      !to.startsWith(`${GATEWAY}platform/`),
    instead: 'What decides goes into a rules file that both import; what acts calls the store, not the other way.',
  },
  {
    name: 'A use case imports core/, rules, ports and other use cases only',
    of: (from) =>
      (subjectOf(from)?.includes('.') === false || (featureOf(from) !== undefined && !WIRES_FEATURE.test(from))) &&
      !below(`${GATEWAY}platform/`, `${GATEWAY}http/`, `${GATEWAY}core/`)(from) &&
      !isRules(from) &&
      !isStore(from) &&
      !isPorts(from) &&
      !isProviderData(from),
    refuses: (to, from) =>
      isStore(to) ||
      isProviderData(to) ||
      to.startsWith(`${GATEWAY}platform/`) ||
      (to.startsWith(`${GATEWAY}http/`) && !isOfOwnFunction(from)) ||
      [`${GATEWAY}config.ts`, `${GATEWAY}wiring.ts`].includes(to) ||
      reachesOut(to),
    instead: "Describe what it needs in the subject's ports.ts; wiring.ts or the function's handler hands it in.",
  },
  {
    name: 'Only handler.ts and the file that wires a function import stores, platform/ and SDKs',
    of: (from) => FUNCTION.test(from) && !WIRES_FUNCTION.test(from) && !isStore(from) && !isRules(from),
    refuses: (to) =>
      isStore(to) || to.startsWith(`${GATEWAY}platform/`) || to === `${GATEWAY}wiring.ts` || to.startsWith('@aws-sdk/'),
    instead: "Take it as an argument; the function's handler.ts, wiring.ts or dependencies.ts hands it in.",
  },
  {
    name: 'lib/ imports core/contract.ts, core/table-rights.ts and the providers of lambdas/ and nothing else',
    of: below('lib/', 'bin/'),
    refuses: (to) => to.startsWith('lambdas/') && !isSharedWithTemplate(to) && !isFeatureConstruct(to),
    instead: 'Put the name that the template and a function share into lambdas/gateway/core/contract.ts.',
  },
  {
    name: 'lib/ imports nothing of the local runtime, the simulator, the clients or the tools',
    of: below('lib/', 'bin/'),
    refuses: (to) => below('packages/', 'dev/', 'test/')(to),
    instead: 'What synthesis needs stands in lib/; let the other side import it from there.',
  },
  {
    name: 'packages/client/ stands alone',
    of: below('packages/client/'),
    refuses: (to) => !isPackage(to) && !to.startsWith('packages/client/'),
    instead: 'A client knows the API by its document: generate what it needs, or write it in packages/client/src/.',
  },
  {
    name: 'packages/dashboard/ stands alone, apart from the client library',
    of: below('packages/dashboard/'),
    refuses: (to) => !isPackage(to) && !below('packages/dashboard/', 'packages/client/')(to),
    instead: 'Ask the API through the client library.',
  },
  {
    name: 'packages/simulator/ stands alone',
    of: below('packages/simulator/'),
    refuses: (to) => !isPackage(to) && !to.startsWith('packages/simulator/'),
    instead: 'The simulator is written after the documents of Google: write what it needs in packages/simulator/.',
  },
  {
    name: "The simulator's http/ carries requests and answers and knows none of them",
    of: below('packages/simulator/http/'),
    refuses: (to) => !isPackage(to) && !to.startsWith('packages/simulator/http/'),
    instead: 'Take it as an argument, or move the file to the folder whose words it uses.',
  },
  {
    name: "The simulator's state/ and simulation.ts know no API",
    of: (from) => from.startsWith('packages/simulator/state/') || from === 'packages/simulator/simulation.ts',
    refuses: (to) =>
      to.startsWith('packages/simulator/') &&
      below(
        ...['api', 'calendar', 'control', 'drive', 'oauth', 'activity'].map((name) => `packages/simulator/${name}/`),
      )(to),
    instead: 'What is kept is described in packages/simulator/state/; the API imports it from there.',
  },
  {
    name: 'dev/local/ imports core/contract.ts and the providers of lambdas/ and nothing else: it runs the bundles',
    of: below('dev/local/'),
    refuses: (to) => to.startsWith('lambdas/') && !isSharedWithTemplate(to),
    instead: 'Put a name that both need into lambdas/gateway/core/contract.ts; for all else call the function.',
  },
  {
    name: 'dev/local/ reads the template, not the code that makes it',
    of: below('dev/local/'),
    refuses: (to) => below('lib/constructs/', 'packages/dashboard/')(to) || to === 'lib/integration-gateway.ts',
    instead: 'Read it from the synthesized template or from what is built.',
  },
  {
    name: 'dev/local/ starts the simulator through its entry points',
    of: below('dev/local/'),
    refuses: (to) =>
      to.startsWith('packages/simulator/') &&
      !['packages/simulator/index.ts', 'packages/simulator/consent.ts'].includes(to),
    instead: 'Export it from packages/simulator/index.ts.',
  },
  {
    name: 'dev/local/ imports nothing of the command line, the benches, the second opinions or the tests',
    of: below('dev/local/'),
    refuses: (to) => below('packages/cli/', 'dev/bench/', 'dev/second-opinions/', 'dev/support/', 'test/')(to),
    instead: 'Move what both need to dev/local/, and let the other side import it from there.',
  },
  {
    name: 'packages/cli/ works over the API, or on the table by the stores of lambdas/',
    of: below('packages/cli/'),
    refuses: (to) =>
      below(
        'packages/simulator/',
        'packages/dashboard/',
        'dev/bench/',
        'dev/second-opinions/',
        'dev/support/',
        'test/',
      )(to) || /^lambdas\/[^/]+\/handler\.ts$/.test(to),
    instead: 'Call the API through the client library, or read the table through a store.',
  },
  {
    name: 'dev/tools/ imports no local runtime, no bench, no second opinion and nothing of dev/support/',
    of: below('dev/tools/'),
    refuses: (to) => below('dev/local/', 'dev/bench/', 'dev/second-opinions/', 'dev/support/')(to),
    instead:
      'Tools build what others run: move what both need to dev/tools/, and let the other side import it from there.',
  },
  {
    name: 'dev/bench/, dev/second-opinions/ and dev/support/ import no tests',
    of: below('dev/bench/', 'dev/second-opinions/', 'dev/support/'),
    refuses: (to) => to.startsWith('test/'),
    instead: 'Move what both need to dev/support/, and let the test import it from there.',
  },
  {
    name: 'dev/support/ imports no bench and no second opinion',
    of: below('dev/support/'),
    refuses: (to) => below('dev/bench/', 'dev/second-opinions/')(to),
    instead: 'Take it as an argument, or move it to the bench or the second opinion that needs it.',
  },
];

const isSharedWithTemplate = (to: string) =>
  to === CONTRACT || isFeatureData(to) || to === RIGHTS || /^lambdas\/gateway\/providers\/[^/]+\.ts$/.test(to);

/** A sentence for every rule that this import breaks. */
export function refusalsOf(imported: Import): readonly string[] {
  const { from, to, line } = imported;
  return RULES.filter((rule) => rule.of(from) && rule.refuses(to, from)).map(
    ({ name, instead }) => `${from}:${line} imports ${to}. ${name}. ${instead}`,
  );
}

/**
 * Imports of each subject of `lambdas/gateway/`, by values or by types, and the files next to them. A row names only rows above its
 * own.
 */
export const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: ['core'],
  platform: ['core'],
  providers: ['core'],
  languages: ['providers'],
  proxying: ['core', 'providers'],
  events: ['core', 'platform'],
  ticks: ['core', 'platform'],
  openapi: ['core', 'providers', 'events', 'languages'],
  // What servers of tools say, and which of it an account has accepted.
  'server-tools': ['core', 'platform', 'providers', 'proxying', 'events'],
  integrations: ['core', 'platform', 'providers', 'events'],
  connections: ['core', 'platform', 'providers', 'events', 'integrations'],
  keys: ['core', 'platform', 'events', 'integrations', 'connections'],
  tokens: [...['core', 'platform', 'providers', 'events', 'integrations', 'connections'], 'keys'],
  authorization: [...['core', 'platform', 'providers', 'events', 'integrations', 'connections', 'tokens'], 'languages'],
  // Consequences of a call, with its caller and requests.
  calls: ['core', 'platform', 'providers', 'proxying', 'events', 'connections', 'keys'],
  // The path of a request: every subject that judges or serves it.
  forwarding: ['core', 'providers', 'proxying', 'keys', 'tokens', 'authorization', 'calls'],
  'config.ts': ['core', 'providers', 'tokens'],
  'feature-dependencies.ts': ['core', 'platform', 'integrations', 'connections', 'keys', 'tokens', 'config.ts'],
  'wiring.ts': [
    ...['core', 'platform', 'providers', 'events', 'ticks', 'integrations', 'connections'],
    ...['tokens', 'keys', 'calls', 'config.ts'],
  ],
};

/** A sentence for an import between subjects that the table does not name. */
export function subjectRefusalOf({ from, to, line }: Import): readonly string[] {
  const [importer, imported] = [subjectOf(from), subjectOf(to)];
  if (importer === undefined || imported === undefined || importer === imported) return [];
  const allowed = SUBJECTS[importer];
  if (allowed === undefined)
    return [`${importer}/ has no row in SUBJECTS of test/support/import-rules.ts: give it one.`];
  if (allowed.includes(imported)) return [];
  return [
    `${from}:${line} imports ${to}. ${importer} may import ${allowed.join(', ') || 'no subject'} only. ` +
      `Hand it in from ${to.includes('.rules') ? 'the caller' : 'wiring.ts'}, move a type that both use to the lower of the two or to core/, or move the file to the subject whose words it uses.`,
  ];
}
