import type { HeaderPairs } from '../core/http-message.ts';
import type { ApiMethod } from '../providers/provider.rules.ts';

/** The path of a call that no pattern fits. */
export const UNMATCHED = '{unmatched}';

/** A pattern's id, in whose place any one segment or part of it may stand. */
const ID = '{}';

/**
 * The pattern of a path: each id becomes `{}`, and a path of no known method becomes `{unmatched}`, so no text of the caller is
 * kept (CL-11). A literal beats an id.
 *
 * @param patterns of the provider
 */
export function pathPattern(path: string, patterns: readonly string[]): string {
  const segments = path.split('/');
  let best: { readonly pattern: string; readonly literals: number } | undefined;
  for (const pattern of patterns) {
    const literals = literalsThatFit(pattern.split('/'), segments);
    if (literals !== undefined && literals > (best?.literals ?? -1)) best = { pattern, literals };
  }
  return best?.pattern ?? UNMATCHED;
}

/** How many characters of the pattern's own a path has; undefined where it does not fit. */
function literalsThatFit(pattern: readonly string[], segments: readonly string[]): number | undefined {
  if (pattern.length !== segments.length) return undefined;
  let literals = 0;
  for (const [i, wanted] of pattern.entries()) {
    const segment = segments[i] ?? '';
    if (wanted === segment) {
      literals += wanted.length;
      continue;
    }
    // An id may be followed by a verb of its own: `{}:resolve`.
    const verb = wanted.startsWith(ID) ? wanted.slice(ID.length) : undefined;
    if (verb === undefined || segment.length <= verb.length || !segment.endsWith(verb)) return undefined;
    literals += verb.length;
  }
  return literals;
}

/** A request as the provider acts on it. */
export interface ProviderRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Headers as the provider gets them. */
  readonly headers?: HeaderPairs;
  /** The query of a read that is sent as a form. */
  readonly form?: string;
  readonly body?: Uint8Array | undefined;
  /** It stands for a call of a tool, by which limits judge that call. */
  readonly isStandIn?: true;
}

/** A method of the table, its pattern in segments. */
interface KnownMethod {
  readonly segments: readonly string[];
  readonly units: number;
  readonly mediaUnits: number;
}

/** The methods of a provider, so that a call is compared with few of them. */
interface MethodIndex {
  /** By HTTP method and number of segments. */
  readonly byShape: ReadonlyMap<string, readonly KnownMethod[]>;
  readonly dearest: number;
}

/** Units that calls take from the providers' quotas. */
export class UnitsOfCalls {
  /** Of each provider, made with its first call. */
  readonly #indexes = new Map<readonly ApiMethod[], MethodIndex>();

  /**
   * The units of a request; one that fits no method of the provider takes as much as the dearest.
   *
   * @param methods of the provider; undefined where every call takes one
   */
  of(methods: readonly ApiMethod[] | undefined, { method, target }: ProviderRequest): number {
    if (methods === undefined) return 1;
    const { byShape, dearest } = this.#indexOf(methods);
    const queryAt = target.indexOf('?');
    const segments = (queryAt < 0 ? target : target.slice(0, queryAt)).split('/');
    let best: { readonly known: KnownMethod; readonly literals: number } | undefined;
    for (const known of byShape.get(shapeOf(method, segments)) ?? []) {
      const literals = literalsThatFit(known.segments, segments);
      if (literals !== undefined && literals > (best?.literals ?? -1)) best = { known, literals };
    }
    if (best === undefined) return dearest;
    return queryAt >= 0 && MEDIA.test(target.slice(queryAt)) ? best.known.mediaUnits : best.known.units;
  }

  #indexOf(methods: readonly ApiMethod[]): MethodIndex {
    const known = this.#indexes.get(methods);
    if (known !== undefined) return known;
    const index = indexed(methods);
    this.#indexes.set(methods, index);
    return index;
  }
}

/** Asks for a file's bytes. */
const MEDIA = /[?&]alt=media(?:&|$)/i;

function indexed(methods: readonly ApiMethod[]): MethodIndex {
  const byShape = new Map<string, KnownMethod[]>();
  let dearest = 0;
  for (const [, method, pattern, units, mediaUnits = units] of methods) {
    const segments = pattern.split('/');
    const shape = shapeOf(method, segments);
    byShape.set(shape, [...(byShape.get(shape) ?? []), { segments, units, mediaUnits }]);
    dearest = Math.max(dearest, units, mediaUnits);
  }
  return { byShape, dearest };
}

/** HEAD is GET without the bytes. */
function shapeOf(method: string, segments: readonly string[]): string {
  return `${method === 'HEAD' ? 'GET' : method} ${segments.length}`;
}
