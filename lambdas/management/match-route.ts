import type { Method, Route } from './route.ts';

/** What the table says of a path and a method. */
export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path exists under other methods. */
  | { readonly kind: 'other_methods'; readonly methods: readonly Method[] }
  | { readonly kind: 'none' };

/**
 * Finds a path's route. Literal segments must be written exactly so: no decoding, no case folding, no merging of slashes
 * (IN-2). A literal beats a parameter; parameters are taken from the raw path and decoded once, and one that is not valid
 * percent-encoding matches nothing. HEAD is answered by GET.
 */
export function matchRoute(routes: readonly Route[], method: string, rawPath: string): RouteMatch {
  const segments = rawPath.split('/').slice(1);
  const candidates: { readonly route: Route; readonly params: Record<string, string>; readonly literals: number }[] =
    [];
  for (const route of routes) {
    const params = matchSegments(route.pattern.split('/').slice(1), segments);
    if (params !== undefined) {
      candidates.push({ route, params, literals: segments.length - Object.keys(params).length });
    }
  }
  if (candidates.length === 0) return { kind: 'none' };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const best = candidates.filter(({ route }) => route.method === wanted).sort((a, b) => b.literals - a.literals)[0];
  if (best !== undefined) return { kind: 'found', route: best.route, params: best.params };
  return { kind: 'other_methods', methods: [...new Set(candidates.map(({ route }) => route.method))] };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, wanted] of pattern.entries()) {
    const segment = segments[i] ?? '';
    const name = /^\{(\w+)\}$/.exec(wanted)?.[1];
    if (name === undefined) {
      if (segment !== wanted) return undefined;
      continue;
    }
    const value = decodeOnce(segment);
    if (value === undefined || value === '') return undefined;
    params[name] = value;
  }
  return params;
}

function decodeOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
