import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATED } from './outcome.ts';
import { countOutcomes, lastFailureMs, type Phase, quantile, type Sample } from './samples.ts';
import type { Verified } from './verify.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'contributing', 'load.md');
const START = '<!-- result: written by the load run -->';
const END = '<!-- end of result -->';

/** What a run measured. */
export interface LoadResult {
  readonly minutes: number;
  readonly seed: number;
  readonly callers: number;
  readonly processes: number;
  readonly samples: readonly Sample[];
  /** How often each kind of trouble was made. */
  readonly troubles: ReadonlyMap<string, number>;
  readonly verified: Verified;
}

/** Prints the figures and puts them into contributing/load.md. */
export function writeReport(result: LoadResult): void {
  const text = [heading(result), phaseTable(result.samples), outcomeTable(result.samples), troubleTable(result)].join(
    '\n\n',
  );
  console.log(text);
  const page = readFileSync(PAGE, 'utf8');
  const before = page.slice(0, page.indexOf(START) + START.length);
  writeFileSync(PAGE, `${before}\n\n${text}\n\n${page.slice(page.indexOf(END))}`);
}

function heading({ minutes, seed, callers, processes, samples, verified }: LoadResult): string {
  const { acknowledged, unsure, unsureApplied, deleted } = verified;
  const after = samples.filter(({ phase }) => phase === 'after');
  return [
    `${samples.length} calls in ${minutes} minutes by ${callers} callers at once, up to ${processes} processes a function, seed ${seed}.`,
    `Of ${acknowledged} files whose creation was acknowledged, 0 are lost, 0 are there twice, 0 have other content; ${deleted} were deleted and stayed so.`,
    `Of ${unsure} creations whose answer was lost or a failure, ${unsureApplied} had been applied once, none twice.`,
    `After the trouble ended the last failure came after ${(lastFailureMs(after) / 1000).toFixed(1)} s.`,
  ].join(' ');
}

function phaseTable(samples: readonly Sample[]): string {
  const of = (phase: Phase) => samples.filter((one) => one.phase === phase);
  const calm = of('calm');
  const rows = (['calm', 'trouble', 'after'] as const).map((phase) => {
    const these = of(phase);
    const ok = these.filter(({ outcome }) => outcome.kind === 'ok').length;
    const ratio = (share: number) => `${(quantile(these, share) / quantile(calm, share)).toFixed(2)}x`;
    const share = ((ok / these.length) * 100).toFixed(2);
    return `| ${phase} | ${these.length} | ${share} % | ${ratio(0.5)} | ${ratio(0.95)} | ${ratio(0.99)} |`;
  });
  return [
    '| Phase | Calls | Succeeded | Median | 95th percentile | 99th |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

function outcomeTable(samples: readonly Sample[]): string {
  const rows = countOutcomes(samples).map(
    ([name, count]) => `| ${name} | ${count} | ${STATED[name] ?? '**not stated**'} |`,
  );
  return ['| What callers saw | Times | Why |', '|---|---:|---|', ...rows].join('\n');
}

function troubleTable({ troubles }: LoadResult): string {
  const rows = [...troubles].sort((a, b) => b[1] - a[1]).map(([name, count]) => `| ${name} | ${count} |`);
  return ['| Trouble | Times |', '|---|---:|', ...rows].join('\n');
}
