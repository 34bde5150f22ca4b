/** The cost of a call, and how full Google's quotas were. */
export interface QuotaStanding {
  /** Such as `google-drive`. */
  readonly provider: string;
  /** Units, or requests where the Cloud project counts them. */
  readonly cost: number;
  /** Share of the last minute that was taken before the call, of the project or the user, whichever is fuller; 1 = all. A lower bound. */
  readonly minute: number | undefined;
  /** Share of the Cloud project's day, as of the last count. */
  readonly day: number | undefined;
}

/**
 * Reads how full Google's quotas are from an answer to a call with a `priority`; undefined where the answer does not say.
 *
 * @param answer of a call, or a `Response` of `fetch`
 */
export function quotaStanding({ headers }: { readonly headers: Headers }): QuotaStanding | undefined {
  const [provider, ...parameters] = headers.get('x-gateway-quota')?.split(';') ?? [];
  const values = new Map(
    parameters.map((one) => [one.slice(0, one.indexOf('=')).trim(), one.slice(one.indexOf('=') + 1)]),
  );
  const read = (name: string): number | undefined => {
    const value = Number(values.get(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const cost = read('cost');
  if (provider === undefined || provider === '' || cost === undefined) return undefined;
  return { provider, cost, minute: read('minute'), day: read('day') };
}
