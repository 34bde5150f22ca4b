/**
 * `node dev/tools/providers.ts`: writes the catalogue of providers from the folders below `lambdas/gateway/providers/` that hold a
 * `provider.ts`. With `--check` it writes nothing and fails where the files are not what it would write.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProviderDefinition } from '../../lambdas/gateway/providers/provider.rules.ts';
import { PROJECT_ROOT } from './run.ts';

const HEAD = '/** Written by dev/tools/providers.ts from the folders beside it: change those, then run it. */\n';

/** What the files of the catalogue are to hold, by path below the folder. @throws Error for a folder whose definition is not its own */
export async function catalogueFiles(root: string): Promise<Readonly<Record<string, string>>> {
  const ids = (await definitions(root)).map(({ id }) => id);
  const imports = ids.toSorted().map((id) => `import { provider as ${nameOf(id)} } from './${id}/provider.ts';`);
  return {
    'provider-ids.rules.ts': `${HEAD}export const PROVIDER_IDS = [${ids.map((id) => `'${id}'`).join(', ')}] as const;

/** Third parties the gateway knows. */
export type ProviderId = (typeof PROVIDER_IDS)[number];

export function isProviderId(value: string): value is ProviderId {
  return (PROVIDER_IDS as readonly string[]).includes(value);
}
`,
    'catalogue.ts': `${HEAD}${imports.join('\n')}
import type { Provider } from './provider.rules.ts';
import type { ProviderId } from './provider-ids.rules.ts';

/** Definitions by id, in the order of lists. */
export const PROVIDERS: Readonly<Record<ProviderId, Provider>> = {
${ids.map((id) => `  '${id}': ${nameOf(id)},`).join('\n')}
};
`,
  };
}

async function definitions(root: string): Promise<ProviderDefinition[]> {
  const found: ProviderDefinition[] = [];
  for (const path of globSync('*/provider.ts', { cwd: root }).sort()) {
    const loaded: { readonly provider?: ProviderDefinition } = await import(pathToFileURL(join(root, path)).href);
    const { provider } = loaded;
    const folder = path.slice(0, path.indexOf('/'));
    if (provider?.id !== folder) throw new Error(`${path} must export a provider whose id is ${folder}.`);
    found.push(provider);
  }
  return found.sort((a, b) => a.place - b.place || a.id.localeCompare(b.id));
}

/** `google-drive` as a name in code. */
function nameOf(id: string): string {
  return id.replace(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

if (import.meta.main) {
  const root = join(PROJECT_ROOT, 'lambdas', 'gateway', 'providers');
  for (const [name, wanted] of Object.entries(await catalogueFiles(root))) {
    const path = join(root, name);
    if (!process.argv.includes('--check')) writeFileSync(path, wanted);
    else if (readFileSync(path, 'utf8') !== wanted) {
      console.error(`${name} is not what the folders of providers say: run npm run providers`);
      process.exitCode = 1;
    }
  }
}
