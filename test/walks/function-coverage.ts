/** Which files of a running function's bundle do something, as V8 counts it and the bundle's source map tells it. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';

const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.url() })).min(1);

const answerSchema = z.object({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() });

const coverageSchema = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(
        z.object({
          functionName: z.string(),
          ranges: z.array(z.object({ startOffset: z.number(), count: z.number() })).min(1),
        }),
      ),
    }),
  ),
});

/** One function's process under V8's precise coverage. */
export interface FunctionCoverage {
  /**
   * Files of the project of which a function has run since the last time, with the names of those functions. Evaluating a module
   * does not count.
   */
  take(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  close(): void;
}

/** Attaches to the inspector of a function's process. @throws Error where nothing answers there */
export async function openCoverage(port: number): Promise<FunctionCoverage> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = targetsSchema.parse(await listed.json());
  if (target === undefined) throw new Error(`The inspector at port ${port} has no process.`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error(`No inspector at port ${port}`)), { once: true });
  });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const answer = answerSchema.safeParse(JSON.parse(String(data)));
    // What has no id is a notice that nobody asked for.
    if (!answer.success) return;
    const { id, result, error } = answer.data;
    if (error === undefined) pending.get(id)?.resolve(result);
    else pending.get(id)?.reject(new Error(JSON.stringify(error)));
    pending.delete(id);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of pending.values()) reject(new Error('The function’s process ended under coverage.'));
  });
  let asked = 0;
  function ask(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    asked += 1;
    const waiting = Promise.withResolvers<unknown>();
    pending.set(asked, waiting);
    socket.send(JSON.stringify({ id: asked, method, params }));
    return waiting.promise;
  }
  await ask('Profiler.enable');
  await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const bundles = new Map<string, Bundle>();
  return {
    async take() {
      const { result } = coverageSchema.parse(await ask('Profiler.takePreciseCoverage'));
      const files = new Map<string, Set<string>>();
      for (const { url, functions } of result) {
        if (!url.endsWith('/index.mjs') || url.includes('/node_modules/')) continue;
        const bundle = bundles.get(url) ?? openBundle(fileURLToPath(url));
        bundles.set(url, bundle);
        for (const { functionName, ranges } of functions) {
          const [{ startOffset, count } = { startOffset: 0, count: 0 }] = ranges;
          // What starts with the file is the module itself.
          const file = count > 0 && startOffset > 0 ? bundle.fileAt(startOffset) : undefined;
          if (file === undefined) continue;
          const names = files.get(file) ?? new Set<string>();
          files.set(file, names.add(functionName));
        }
      }
      return files;
    },
    close: () => socket.close(),
  };
}

interface Bundle {
  /** The file that the code at an offset comes from, below the project's root; undefined for the bundler's own code. */
  fileAt(offset: number): string | undefined;
}

function openBundle(path: string): Bundle {
  const lines = readFileSync(path, 'utf8').split('\n');
  const starts: number[] = [];
  let next = 0;
  for (const line of lines) {
    starts.push(next);
    next += line.length + 1;
  }
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  return {
    fileAt(offset) {
      const line = starts.findLastIndex((start) => start <= offset);
      const entry = map.findEntry(line, offset - (starts[line] ?? 0));
      // Code without a source has no entry of its own, and the nearest one before it is another line's.
      if (!('originalSource' in entry) || entry.generatedLine !== line) return undefined;
      return relative(PROJECT_ROOT, join(dirname(path), entry.originalSource));
    },
  };
}
