/** Values for the first call. */
export interface SnippetFacts {
  readonly baseUrl: string;
  /** Where proxied calls go: the same address, unless they have one of their own. */
  readonly proxyUrl: string;
  readonly integrationId: string;
  readonly connectionId: string;
  /** Path and query at the provider. */
  readonly firstCall: string;
}

/** The first call in one language. */
export interface Snippet {
  readonly id: 'curl' | 'node' | 'python';
  readonly label: string;
  readonly code: string;
}

/** The first call as curl, Node and Python; the secret key comes from the environment and is in none of them. */
export function snippets(facts: SnippetFacts): readonly Snippet[] {
  const path = facts.firstCall;
  const url = `${facts.proxyUrl}/proxy${path}`;
  return [
    { id: 'curl', label: 'curl', code: curl(facts, url) },
    { id: 'node', label: 'Node', code: node(facts, path) },
    { id: 'python', label: 'Python', code: python(facts, url) },
  ];
}

function curl({ integrationId, connectionId }: SnippetFacts, url: string): string {
  return [
    `curl ${shell(url)} \\`,
    '  -H "Authorization: Bearer $GATEWAY_SECRET_KEY" \\',
    `  -H ${shell(`Provider-Config-Key: ${integrationId}`)} \\`,
    `  -H ${shell(`Connection-Id: ${connectionId}`)}`,
  ].join('\n');
}

function node({ baseUrl, proxyUrl, integrationId, connectionId }: SnippetFacts, path: string): string {
  const own = proxyUrl === baseUrl ? '' : `\n  proxyUrl: ${quoted(proxyUrl)},`;
  return `import { GatewayClient } from '@integration-gateway/client';

const gateway = new GatewayClient({
  baseUrl: ${quoted(baseUrl)},${own}
  secretKey: process.env.GATEWAY_SECRET_KEY,
});

const { data } = await gateway.get({
  endpoint: ${quoted(path)},
  providerConfigKey: ${quoted(integrationId)},
  connectionId: ${quoted(connectionId)},
});
console.log(data);`;
}

function python({ integrationId, connectionId }: SnippetFacts, url: string): string {
  return `import json, os
from urllib.request import Request, urlopen

request = Request(
    ${quoted(url)},
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_SECRET_KEY']}",
        "Provider-Config-Key": ${quoted(integrationId)},
        "Connection-Id": ${quoted(connectionId)},
    },
)
with urlopen(request) as answer:
    print(json.dumps(json.load(answer), indent=2))`;
}

/** One shell word whatever it holds. */
function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A string literal of both JavaScript and Python. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
