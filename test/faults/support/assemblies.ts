import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAssembly } from '../../../dev/tools/assembly.ts';
import { buildFunctions } from '../../../dev/tools/build.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..', '..', '..');

/** One change of a source file; `find` must be there. */
export interface Edit {
  /** From the project's root. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Copies the sources of functions and stack to a temporary folder and changes them. @throws Error when a source no longer has the text */
export function editedSources(edits: readonly Edit[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'edited-'));
  for (const name of ['lambdas', 'lib', 'cdk.json', 'package.json']) {
    cpSync(join(PROJECT_ROOT, name), join(folder, name), { recursive: true });
  }
  for (const name of ['node_modules', 'packages']) symlinkSync(join(PROJECT_ROOT, name), join(folder, name));
  for (const { file, find, replace } of edits) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(find)) throw new Error(`${file} no longer has ${JSON.stringify(find)}`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  return folder;
}

/** Bundles and synthesizes what is in a folder of `editedSources`. @returns the assembly's folder, inside it */
export async function buildAssembly(folder: string): Promise<string> {
  await buildFunctions({ sourceRoot: join(folder, 'lambdas'), outputRoot: join(folder, 'dist') });
  const outdir = join(folder, 'cdk');
  const bundlesPath = join(folder, 'dist', 'lambdas');
  const { createGatewayApp }: typeof import('../../../lib/gateway-app.ts') = await import(
    join(folder, 'lib', 'gateway-app.ts')
  );
  (await createGatewayApp({ environment: {}, checkRules: false, outdir, bundlesPath })).synth();
  return outdir;
}

/** The project's assembly with its template changed. @returns a temporary folder */
export async function editedTemplate(edit: (template: string) => string): Promise<string> {
  const original = await ensureAssembly({ mode: 'reuse', step: (_, work) => work() });
  const folder = mkdtempSync(join(tmpdir(), 'template-'));
  cpSync(original, folder, { recursive: true });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.template.json'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const edited = edit(text);
    if (edited === text) throw new Error(`The edit changes nothing of ${name}`);
    writeFileSync(join(folder, name), edited);
  }
  return folder;
}

/** Puts the bundles of one assembly in the place of another's: processes that start from now on run them. */
export function swapBundles(from: string, into: string): void {
  const [bundles, places] = [bundleFolders(from), bundleFolders(into)];
  for (const [logicalId, place] of places) {
    const bundle = bundles.get(logicalId);
    if (bundle === undefined) throw new Error(`${from} has no function ${logicalId}`);
    cpSync(join(bundle, 'index.mjs'), join(place, 'index.mjs'));
  }
}

/** Folder of each function's code by logical id. */
function bundleFolders(assembly: string): Map<string, string> {
  const folders = new Map<string, string>();
  for (const name of readdirSync(assembly).filter((file) => file.endsWith('.template.json'))) {
    const template: { Resources: Record<string, { Type: string; Properties: { Code?: { S3Key?: string } } }> } =
      JSON.parse(readFileSync(join(assembly, name), 'utf8'));
    for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources)) {
      const folder = join(assembly, `asset.${Properties?.Code?.S3Key?.replace('.zip', '')}`);
      if (Type === 'AWS::Lambda::Function' && existsSync(join(folder, 'index.mjs'))) folders.set(logicalId, folder);
    }
  }
  if (folders.size === 0) throw new Error(`${assembly} has no bundles`);
  return folders;
}
