/** Where the version stands besides `package.json`, with what is around it there. */
export const VERSION_PLACES: readonly (readonly [file: string, around: (version: string) => string])[] = [
  ['clients/python/pyproject.toml', (version) => `version = "${version}"`],
  ['clients/python/src/integration_gateway/_requests.py', (version) => `VERSION = "${version}"`],
  ['client/src/http/headers.ts', (version) => `integration-gateway-client/${version} `],
  ['lambdas/gateway/openapi/document.ts', (version) => `API_VERSION = '${version}'`],
  ['docs/first-call.md', (version) => `integration-gateway-client-${version}.tgz`],
  ['client/README.md', (version) => `integration-gateway-client-${version}.tgz`],
  ['clients/python/README.md', (version) => `integration_gateway_client-${version}-py3-none-any.whl`],
  ['cli/README.md', (version) => `integration-gateway-cli-${version}.tgz`],
  ['lib/README.md', (version) => `integration-gateway-construct-${version}.tgz`],
  ['simulator/README.md', (version) => `integration-gateway-google-simulator-${version}.tgz`],
  ['tools/release/template-readme.md', (version) => `integration-gateway-cli-${version}.tgz`],
];
