/**
 * Runs in the browser, in the page of `GET /docs`: passes the reference component the gateway's own document, the ids in the address,
 * and code samples with them. The build puts the component itself in front of it.
 */
import type { Json } from '../../gateway/openapi/json-schema.ts';
import { jsonAt, listAt, operationsOf, textAt } from '../../gateway/openapi/read-document.ts';
import { withCodeSamples } from './code-samples.ts';
import { titleOf } from './titles.rules.ts';

/** The used part of the component (openapi-explorer's documentation, "JavaScript API"). */
interface Explorer extends HTMLElement {
  loadSpec(document: Json): Promise<void>;
}

/** Parameter names of a connection's two ids in routes, by the parameter of this page's address that sets them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  provider_config_key: ['provider_config_key', 'Provider-Config-Key', 'integrationId', 'integration_id'],
  connection_id: ['connectionId', 'connection_id', 'Connection-Id'],
};

/** Colours of the component by their attributes; those of its labels are in the page's style. */
const COLOURS = {
  light: {
    'bg-color': '#ffffff',
    'text-color': '#16191f',
    'nav-bg-color': '#0f1b2a',
    'nav-text-color': '#e9ebed',
    'primary-color': '#0972d3',
    'secondary-color': '#ffffff',
  },
  dark: {
    'bg-color': '#161d26',
    'text-color': '#ebebf0',
    'nav-bg-color': '#0b1017',
    'nav-text-color': '#e9ebed',
    'primary-color': '#42b4ff',
    'secondary-color': '#ffffff',
  },
} as const;

const found = document.querySelector<Explorer>('openapi-explorer');
if (found !== null) {
  followColours(found);
  await fill(found);
}

/** Follows the system's light or dark mode, even when it changes while the page is open. */
function followColours(explorer: Explorer): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const show = (): void => {
    for (const [name, value] of Object.entries(COLOURS[dark.matches ? 'dark' : 'light']))
      explorer.setAttribute(name, value);
  };
  show();
  dark.addEventListener('change', show);
}

async function fill(explorer: Explorer): Promise<void> {
  explorer.addEventListener('request', keepSlashes);
  const answer = await fetch(new URL('openapi.json', location.href));
  if (!answer.ok) throw new Error(`openapi.json answered ${answer.status}`);
  const described: Json = withIds(forReaders(await answer.json()), new URLSearchParams(location.search));
  const baseUrl = textAt(listAt(described, 'servers')[0], 'url');
  await explorer.loadSpec(withCodeSamples(described, operationsOf(described), baseUrl));
}

/** The component encodes every path parameter as one segment, but the provider's path contains slashes. */
function keepSlashes(event: Event): void {
  if (!(event instanceof CustomEvent)) return;
  const { request } = event.detail;
  const [before, after] = String(request.url).split('/proxy/', 2);
  if (after === undefined) return;
  const [path = '', ...query] = after.split('?');
  request.url = [`${before}/proxy/${path.replaceAll('%2F', '/')}`, ...query].join('?');
}

/**
 * The document for a reader with a secret key or a session's token: without operators, who sign in on the dashboard, and without this
 * page's own routes.
 */
function forReaders(described: Json): Json {
  delete jsonAt(described, 'components', 'securitySchemes').operator;
  for (const path of Object.keys(jsonAt(described, 'paths'))) {
    if (path.startsWith('/docs')) delete jsonAt(described, 'paths')[path];
  }
  for (const { operation, parameters } of operationsOf(described)) {
    // The menu shows the summary, which becomes a title; the sentence becomes the description.
    const [summary, description] = [textAt(operation, 'summary'), textAt(operation, 'description')];
    operation.summary = titleOf(textAt(operation, 'operationId'));
    operation.description = description === '' ? `${summary}.` : `${summary}.\n\n${description}`;
    operation.security = listAt(operation, 'security').filter((one) => !('operator' in jsonAt(one)));
    // Initial values of fields, because an empty path cannot be sent.
    for (const parameter of parameters.map((one) => jsonAt(one))) {
      if (parameter.in === 'path') jsonAt(parameter, 'schema').default = parameter.example;
    }
  }
  return described;
}

/** The document with the ids of one connection as examples, wherever a route takes them. */
function withIds(described: Json, given: URLSearchParams): Json {
  const ids = new Map(
    Object.entries(NAMES).flatMap(([parameter, names]) => {
      const id = given.get(parameter);
      return id === null ? [] : names.map((name) => [name, id] as const);
    }),
  );
  if (ids.size === 0) return described;
  for (const { operation, parameters } of operationsOf(described)) {
    for (const parameter of parameters.map((one) => jsonAt(one))) {
      const id = ids.get(textAt(parameter, 'name'));
      if (id === undefined) continue;
      parameter.example = id;
      jsonAt(parameter, 'schema').default = id;
    }
    const example = jsonAt(operation, 'requestBody', 'content', 'application/json', 'example');
    for (const [name, value] of Object.entries(example)) {
      const id = ids.get(name);
      if (id !== undefined && typeof value === 'string') example[name] = id;
    }
  }
  return described;
}
