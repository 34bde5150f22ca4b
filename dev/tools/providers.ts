/**
 * What `npm run generate` makes from the folders below `lambdas/gateway/providers/` that hold a `provider.ts`: the catalogue of
 * providers.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProviderDefinition } from '../../lambdas/gateway/providers/provider.rules.ts';

const HEAD = '/** Written by `npm run generate` from the folders of the providers. */\n';

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
