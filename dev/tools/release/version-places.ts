/** Where the version of the project stands, and how it is written there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A version as Python's packages spell it (PEP 440): `0.2.1-preview.1a2b3c4d` is `0.2.1.dev0+1a2b3c4d` there. */
export function pythonVersion(version: string): string {
  return version.replace('-preview.', '.dev0+');
}

/** Where the version stands, with what is around it there. */
export const VERSION_PLACES: readonly (readonly [file: string, around: (version: string) => string])[] = [
  ['package.json', (version) => `"version": "${version}"`],
  ['package-lock.json', (version) => `"name": "integration-gateway",\n  "version": "${version}"`],
  ['package-lock.json', (version) => `"name": "integration-gateway",\n      "version": "${version}"`],
  ['packages/python/pyproject.toml', (version) => `version = "${pythonVersion(version)}"`],
  ['packages/python/src/integration_gateway/_requests.py', (version) => `VERSION = "${pythonVersion(version)}"`],
  ['packages/client/src/http/headers.ts', (version) => `integration-gateway-client/${version} `],
  ['lambdas/gateway/openapi/document.ts', (version) => `API_VERSION = '${version}'`],
  ['README.md', (version) => `Version ${version}. `],
  ['packages/client/README.md', (version) => `integration-gateway-client-${version}.tgz`],
  ['examples/sam/README.md', (version) => `integration-gateway-client-${version}.tgz`],
  ['packages/python/README.md', (version) => `integration_gateway_client-${pythonVersion(version)}-py3-none-any.whl`],
  ['packages/cli/README.md', (version) => `integration-gateway-cli-${version}.tgz`],
  ['lib/README.md', (version) => `integration-gateway-construct-${version}.tgz`],
  ['packages/simulator/README.md', (version) => `integration-gateway-google-simulator-${version}.tgz`],
  ['dev/tools/release/template-readme.md', (version) => `integration-gateway-cli-${version}.tgz`],
];

/**
 * Writes a version in all its places; when one of them does not say the former version, in none.
 *
 * @param root folder of the project, or of a copy of it
 * @returns the files that were written, relative to `root`
 * @throws Error naming the place that says something else than `before`
 */
export function writeVersion(root: string, before: string, wanted: string): string[] {
  const texts = new Map<string, string>();
  for (const [file, around] of VERSION_PLACES) {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
    if (!text.includes(around(before))) throw new Error(`${file} does not say ${around(before)}.`);
    texts.set(file, text.replaceAll(around(before), around(wanted)));
  }
  for (const [file, text] of texts) writeFileSync(join(root, file), text);
  return [...texts.keys()];
}
