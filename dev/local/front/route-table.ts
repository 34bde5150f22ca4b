/** Which method of which API resource answers a path: literal before `{name}` before `{name+}`, method before ANY. */
import type { LocalRoute } from '../template/rest-api.ts';

/** The route and its path parameters, percent-encoding kept. */
export interface RouteMatch {
  route: LocalRoute;
  pathParameters: Record<string, string> | null;
}

interface Node {
  literals: Map<string, Node>;
  parameter: { name: string; node: Node } | undefined;
  greedy: { name: string; node: Node } | undefined;
  methods: Map<string, LocalRoute>;
}

/** The methods of a REST API, which `ANY` covers (API Gateway REST API reference, "Method"). */
const CARRIED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Finds the route of a method and raw path; undefined when no resource matches or the resource lacks the method. */
export type RouteTable = (method: string, path: string) => RouteMatch | undefined;

/** Builds the table once per API. */
export function routeTable(routes: readonly LocalRoute[]): RouteTable {
  const root = newNode();
  for (const route of routes) nodeFor(root, route.segments).methods.set(route.method, route);
  return (method, path) => {
    const found = findResource(root, pathSegments(path), new Map());
    const route = CARRIED.has(method) ? (found?.node.methods.get(method) ?? found?.node.methods.get('ANY')) : undefined;
    if (found === undefined || route === undefined) return undefined;
    return { route, pathParameters: found.parameters.size === 0 ? null : Object.fromEntries(found.parameters) };
  };
}

/** The path's segments; a trailing slash adds none. */
function pathSegments(path: string): string[] {
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function findResource(
  node: Node,
  segments: readonly string[],
  parameters: ReadonlyMap<string, string>,
): { node: Node; parameters: ReadonlyMap<string, string> } | undefined {
  const [first, ...rest] = segments;
  if (first === undefined) return node.methods.size > 0 ? { node, parameters } : undefined;
  const literal = node.literals.get(first);
  const byLiteral = literal && findResource(literal, rest, parameters);
  if (byLiteral !== undefined) return byLiteral;
  const { parameter, greedy } = node;
  if (parameter !== undefined && first !== '') {
    const byName = findResource(parameter.node, rest, new Map([...parameters, [parameter.name, first]]));
    if (byName !== undefined) return byName;
  }
  if (greedy === undefined) return undefined;
  return { node: greedy.node, parameters: new Map([...parameters, [greedy.name, segments.join('/')]]) };
}

function nodeFor(root: Node, segments: readonly string[]): Node {
  return segments.reduce((node, segment) => {
    const name = /^\{(.+?)(\+?)\}$/.exec(segment);
    if (name === null) return literalChild(node, segment);
    const kind = name[2] === '+' ? 'greedy' : 'parameter';
    node[kind] ??= { name: name[1] ?? '', node: newNode() };
    return node[kind].node;
  }, root);
}

function literalChild(node: Node, segment: string): Node {
  const child = node.literals.get(segment) ?? newNode();
  node.literals.set(segment, child);
  return child;
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, greedy: undefined, methods: new Map() };
}
