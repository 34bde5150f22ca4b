/** What `npm run generate` makes of docs/simulator.md: each of Google's methods with how much of it the simulator has. */
import { ACTIVITY_COVERAGE } from '../../packages/simulator/activity/query-activity.ts';
import type { MethodEntry } from '../../packages/simulator/api/coverage.ts';
import { HANDLERS } from '../../packages/simulator/api/handlers.ts';
import { METHODS } from '../../packages/simulator/api/method-table.ts';

const INTRODUCTION = `# What the simulator has of Google's methods

Written by \`npm run generate\` from the entries of [\`packages/simulator/drive/methods.ts\`](../packages/simulator/drive/methods.ts) and
[\`packages/simulator/calendar/methods.ts\`](../packages/simulator/calendar/methods.ts). *Whole* means: what Google's page says of the method, with state that other methods see. A
method that is not known well enough answers 501 \`notImplementedBySimulator\` and names itself, never an empty success. Every
answer has the members and types of Google's discovery documents; each test of the simulator checks that.`;

function depthText(entry: MethodEntry): string {
  switch (entry.depth) {
    case 'whole':
      return 'whole';
    case 'partial':
      return `partial; missing: ${entry.missing}`;
    case '501':
      return `501: ${entry.why}`;
  }
}

function section(title: string, ids: readonly string[]): string {
  const rows = ids.map((id) => {
    const entry = HANDLERS.get(id);
    if (entry === undefined) throw new Error(`${id} has no entry in methods.ts.`);
    return { entry, row: `| \`${id}\` | ${depthText(entry)} | ${entry.page} |` };
  });
  const count = (depth: MethodEntry['depth']) => rows.filter(({ entry }) => entry.depth === depth).length;
  return [
    `## ${title}`,
    '',
    `${count('whole')} of ${rows.length} methods are whole, ${count('partial')} partial, ${count('501')} answer 501.`,
    '',
    '| Method | Depth | Source |',
    '|---|---|---|',
    ...rows.map(({ row }) => row),
  ].join('\n');
}

function activitySection(): string {
  const { id, missing, page } = ACTIVITY_COVERAGE;
  const head = ['## Drive Activity v2', '', '| Method | Depth | Source |', '|---|---|---|'];
  return [...head, `| \`${id}\` | partial; missing: ${missing} | ${page} |`].join('\n');
}

/** The page as it should be now. */
export function simulatorCoverage(): string {
  const idsOf = (api: 'drive' | 'calendar') => METHODS[api].map(({ id }) => id);
  const sections = [section('Drive v3', idsOf('drive')), section('Calendar v3', idsOf('calendar')), activitySection()];
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}
