import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokenStart, processRows } from './rows/processes.ts';
import { SINKS, sinkRows } from './rows/sinks.ts';
import { describeRows } from './support/describe-rows.ts';

const flagFile = join(mkdtempSync(join(tmpdir(), 'broken-start-')), 'flag');
describeRows('processes', processRows(flagFile), { preload: brokenStart(flagFile) });
for (const [state, preload] of Object.entries(SINKS)) describeRows(`logs ${state}`, sinkRows, { preload });
