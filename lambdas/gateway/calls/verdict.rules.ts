import type { CallRecord, FailureKind } from './call-record.rules.ts';

/** Calls of a minute by how they ended. */
export interface MinuteOfCalls {
  readonly startMs: number;
  readonly calls: number;
  readonly ok: number;
  readonly failures: Readonly<Record<FailureKind, number>>;
}

/** The party behind the failures: nobody called, nearly all calls succeeded, or the kind of most failures. */
export const VERDICTS = ['no_calls', 'healthy', 'provider', 'quota', 'gateway', 'callers', 'mixed'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A verdict and its reasons, as sentences. */
export interface JudgedCalls {
  readonly verdict: Verdict;
  readonly text: string;
  readonly evidence: readonly string[];
}

/** Below this share of failed calls nothing is wrong. */
const HEALTHY_SHARE = 0.01;
/** From this share of the failures on, a kind of them is the verdict. */
const DECIDING_SHARE = 0.5;
/** Codes of the gateway for a provider that it could not reach: the failing network may be on either side. */
const UNREACHED = new Set(['upstream_unreachable', 'upstream_timeout', 'upstream_invalid_response']);
/** Reasons and integrations that are named. */
const NAMED = 3;

type Sample = Pick<CallRecord, 'status' | 'reason' | 'gatewayCode' | 'standsFor' | 'complete'>;

/**
 * Attributes the failures of some minutes to a party.
 *
 * @param provider the provider's display name
 * @param sample newest failed calls of these minutes
 */
export function judgeCalls(
  provider: string,
  minutes: readonly MinuteOfCalls[],
  sample: readonly Sample[],
): JudgedCalls {
  const calls = sumOf(minutes.map((one) => one.calls));
  const by = (kind: FailureKind) => sumOf(minutes.map(({ failures }) => failures[kind]));
  const counts: Readonly<Record<Exclude<FailureKind, 'broken_off'>, number>> = {
    provider_failed: by('provider_failed'),
    rate_limited: by('rate_limited'),
    gateway_failed: by('gateway_failed'),
    refused: by('refused'),
  };
  const failed = sumOf(Object.values(counts));
  const evidence = [
    ...(failed === 0 ? [] : [shares(provider, counts, calls)]),
    ...span(minutes),
    ...reasonsOf(provider, sample),
  ];
  if (calls === 0) return { verdict: 'no_calls', text: 'No call was counted in the last hour.', evidence };
  if (failed / calls < HEALTHY_SHARE) {
    const text = `Neither: ${number(calls - failed)} of the last hour’s ${number(calls)} calls went through.`;
    return { verdict: 'healthy', text, evidence };
  }
  const kinds: readonly (keyof typeof counts)[] = ['provider_failed', 'rate_limited', 'gateway_failed', 'refused'];
  const leading = kinds.find((kind) => counts[kind] / failed > DECIDING_SHARE);
  const count = leading === undefined ? 0 : counts[leading];
  const most = `${number(count)} of the ${number(failed)} failed calls`;
  switch (leading) {
    case 'provider_failed':
      return { verdict: 'provider', text: `It is ${provider}: it answered ${most} with 5xx.`, evidence };
    case 'rate_limited':
      return {
        verdict: 'quota',
        text: `It is ${provider}’s quota: it answered ${most} with 429. Call less often, or ask for a higher quota.`,
        evidence,
      };
    case 'refused':
      return {
        verdict: 'callers',
        text: `It is neither ${provider} nor the gateway: ${most} were refused with 4xx, because of the call itself, its key or its grant.`,
        evidence,
      };
    case 'gateway_failed':
      return unreachedShare(sample) > DECIDING_SHARE
        ? {
            verdict: 'provider',
            text: `${provider} is not reached: the gateway got no usable answer to ${most}.`,
            evidence,
          }
        : { verdict: 'gateway', text: `It is the gateway: it answered ${most} itself with 5xx.`, evidence };
    default:
      return {
        verdict: 'mixed',
        text: `There is no single cause: ${number(failed)} of ${number(calls)} calls failed, none of the kinds more than half of them.`,
        evidence,
      };
  }
}

function shares(
  provider: string,
  counts: Readonly<Record<Exclude<FailureKind, 'broken_off'>, number>>,
  calls: number,
): string {
  const parts = [
    `${number(counts.provider_failed)} got 5xx from ${provider}`,
    `${number(counts.rate_limited)} got 429 from ${provider}`,
    `${number(counts.gateway_failed)} got 5xx from the gateway`,
    `${number(counts.refused)} were refused with another 4xx`,
  ];
  return `Of ${number(calls)} calls, ${parts.join(', ')}.`;
}

/** Since when calls have failed, and until when. */
function span(minutes: readonly MinuteOfCalls[]): string[] {
  const failing = minutes.filter(({ failures }) => {
    const { broken_off: _, ...rest } = failures;
    return sumOf(Object.values(rest)) > 0;
  });
  const [first, last] = [failing[0], failing.at(-1)];
  if (first === undefined || last === undefined) return [];
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  return [
    first === last
      ? `Calls failed at ${clock(first.startMs)} UTC only.`
      : `Calls failed from ${clock(first.startMs)} to ${clock(last.startMs)} UTC, in ${failing.length} of ${minutes.length} minutes.`,
  ];
}

function reasonsOf(provider: string, sample: readonly Sample[]): string[] {
  const counts = new Map<string, number>();
  for (const call of sample) {
    const isGateways = call.gatewayCode !== undefined;
    const what = call.gatewayCode ?? call.reason;
    const answer = `${isGateways ? 'the gateway' : provider} answered ${call.status}${what === undefined ? '' : ` ${what}`}`;
    if (call.status >= 400) counts.set(answer, (counts.get(answer) ?? 0) + call.standsFor);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, NAMED);
  if (most.length === 0) return [];
  const said = most.map(([answer, count]) => `${answer} (${number(count)})`).join(', ');
  return [`Of the newest ${number(sumOf(sample.map(({ standsFor }) => standsFor)))} failed calls: ${said}.`];
}

function unreachedShare(sample: readonly Sample[]): number {
  const own = sample.filter(({ status, gatewayCode }) => gatewayCode !== undefined && status >= 500);
  const unreached = own.filter(({ gatewayCode = '' }) => UNREACHED.has(gatewayCode));
  return own.length === 0 ? 0 : unreached.length / own.length;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function number(value: number): string {
  return value.toLocaleString('en');
}
