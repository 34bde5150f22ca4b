import type { Json } from '../../gateway/openapi/json-schema.ts';
import { jsonAt, listAt, type PlacedOperation, textAt } from '../../gateway/openapi/read-document.ts';

/** A code sample of an operation in the form of reference pages: the vendor extension `x-code-samples`. */
export interface CodeSample {
  /** Language of the highlighting. */
  readonly lang: 'bash' | 'javascript' | 'python';
  readonly label: 'curl' | 'Node' | 'Python';
  readonly source: string;
}

interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** Without `Authorization`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The example of a JSON body. */
  readonly body: unknown;
  readonly authenticated: boolean;
}

/**
 * An operation's example as commands to paste. The secret key comes from the environment variable `GATEWAY_SECRET_KEY`, which keeps
 * it out of files and shell history.
 *
 * @param baseUrl of the gateway, without a trailing slash
 */
export function codeSamples(placed: PlacedOperation, baseUrl: string): readonly CodeSample[] {
  const request = sampleRequest(placed, baseUrl);
  return [
    { lang: 'bash', label: 'curl', source: curl(request) },
    { lang: 'javascript', label: 'Node', source: node(request) },
    { lang: 'python', label: 'Python', source: python(request) },
  ];
}

function sampleRequest({ method, path, operation, parameters }: PlacedOperation, baseUrl: string): SampleRequest {
  const shown = parameters.flatMap((parameter) => {
    const { example = '' } = jsonAt({ parameter }, 'parameter');
    const value = String(example);
    return value === '' ? [] : [{ name: textAt(parameter, 'name'), in: textAt(parameter, 'in'), value }];
  });
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place, value } of shown) {
    // The path at the provider keeps its slashes; a path parameter of the gateway's own routes is one segment.
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value).replaceAll('%2F', '/'));
    if (place === 'query') query.set(name, value);
  }
  const body = jsonAt(operation, 'requestBody', 'content', 'application/json').example;
  return {
    method,
    url: `${baseUrl}${target}${query.size === 0 ? '' : `?${query}`}`,
    headers: [
      ...shown.filter((parameter) => parameter.in === 'header').map(({ name, value }) => [name, value] as const),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body,
    authenticated: listAt(operation, 'security').length > 0,
  };
}

function curl({ method, url, headers, body, authenticated }: SampleRequest): string {
  const verb = method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${method}`;
  return [
    `curl${verb} ${shellWord(url)}`,
    ...(authenticated ? ['-H "Authorization: Bearer $GATEWAY_SECRET_KEY"'] : []),
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellWord(JSON.stringify(body, undefined, 2))}`]),
  ].join(' \\\n  ');
}

/** In single quotes a shell reads everything literally, except the quote itself (POSIX, Shell Command Language, 2.2.2). */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function node({ method, url, headers, body, authenticated }: SampleRequest): string {
  const sent = [
    ...(authenticated ? [`Authorization: \`Bearer \${process.env.GATEWAY_SECRET_KEY}\``] : []),
    ...headers.map(([name, value]) => `'${name}': ${JSON.stringify(value)}`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(sent.length === 0 ? [] : [`headers: {\n${sent.map((line) => `    ${line},`).join('\n')}\n  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, undefined, 2), 2)})`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.map((line) => `  ${line},`).join('\n')}\n}`;
  return `const response = await fetch(${JSON.stringify(url)}${given});\nconsole.log(response.status, await response.text());`;
}

function python({ method, url, headers, body, authenticated }: SampleRequest): string {
  const sent = [
    ...(authenticated ? [`"Authorization": f"Bearer {os.environ['GATEWAY_SECRET_KEY']}"`] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const given = [
    `"${method}"`,
    JSON.stringify(url),
    ...(sent.length === 0 ? [] : [`headers={\n${sent.map((line) => `        ${line},`).join('\n')}\n    }`]),
    ...(body === undefined ? [] : [`json=${indented(pythonLiteral(body), 4)}`]),
  ];
  return [
    ...(authenticated ? ['import os', ''] : []),
    'import httpx',
    '',
    `response = httpx.request(\n${given.map((line) => `    ${line},`).join('\n')}\n)`,
    'print(response.status_code, response.text)',
  ].join('\n');
}

/** JSON as a Python expression: the same except for three words outside its strings. */
function pythonLiteral(value: unknown): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  return JSON.stringify(value, undefined, 4).replace(
    /"(?:[^"\\]|\\.)*(?:"|$)|\b(?:true|false|null)\b/g,
    (token) => words[token] ?? token,
  );
}

/** Indents all lines except the first. */
function indented(text: string, blanks: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(blanks)}`);
}

/** The document with every operation's samples in `x-code-samples`. */
export function withCodeSamples(document: Json, operations: readonly PlacedOperation[], baseUrl: string): Json {
  const paths = structuredClone(jsonAt(document, 'paths'));
  for (const placed of operations) {
    jsonAt(paths, placed.path, placed.method.toLowerCase())['x-code-samples'] = codeSamples(placed, baseUrl);
  }
  return { ...document, paths };
}
