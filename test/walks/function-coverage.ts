/** Which files of a running function's bundle do something, and in which order, as V8 counts it and the bundle's source map places it. */
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
      scriptId: z.string(),
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

const orderSchema = z.object({ result: z.object({ value: z.array(z.number()) }) });

/** One function's process under V8's precise coverage. */
export interface FunctionCoverage {
  /**
   * Files of the project of which a function has run since the last time, with the names of those functions. Evaluating a module
   * does not count.
   */
  take(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** From now on, records when each function that ran before the last `take` runs again. Slows the process down. */
  followOrder(): Promise<void>;
  /** Files in the order in which a function of theirs first ran since `followOrder`; empties the record. */
  takeOrder(): Promise<readonly string[]>;
  close(): void;
}

/** Calls in one walk from which a function is not followed. */
const OFTEN = 100;

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
  /** Functions that ran before the last `take`. */
  const ran: { readonly file: string; readonly place: object; readonly count: number }[] = [];
  return {
    async take() {
      ran.length = 0;
      const { result } = coverageSchema.parse(await ask('Profiler.takePreciseCoverage'));
      const files = new Map<string, Set<string>>();
      for (const { scriptId, url, functions } of result) {
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
          ran.push({ file, place: { scriptId, ...bundle.placeOf(startOffset) }, count });
        }
      }
      return files;
    },
    async followOrder() {
      await ask('Debugger.enable');
      for (const [at, { file, place, count }] of ran.entries()) {
        // Each time costs the process a stop: of a file whose functions all run often, the rarest is enough.
        const rarest = Math.min(...ran.filter((one) => one.file === file).map((one) => one.count));
        if (count > Math.max(OFTEN, rarest)) continue;
        // Never true, so that nothing stops. A function without a place to stop is left out.
        const condition = `(globalThis.walkedOrder ??= []).push(${at}) < 0`;
        await ask('Debugger.setBreakpoint', { location: place, condition }).catch(() => undefined);
      }
    },
    async takeOrder() {
      const expression = '(globalThis.walkedOrder ?? []).splice(0)';
      const { result } = orderSchema.parse(await ask('Runtime.evaluate', { expression, returnByValue: true }));
      return [...new Set(result.value.flatMap((at) => ran[at]?.file ?? []))];
    },
    close: () => socket.close(),
  };
}

interface Bundle {
  /** The file that the code at an offset comes from, below the project's root; undefined for the bundler's own code. */
  fileAt(offset: number): string | undefined;
  /** Where an offset stands, both from 0. */
  placeOf(offset: number): { readonly lineNumber: number; readonly columnNumber: number };
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
  const placeOf = (offset: number) => {
    const lineNumber = starts.findLastIndex((start) => start <= offset);
    return { lineNumber, columnNumber: offset - (starts[lineNumber] ?? 0) };
  };
  return {
    placeOf,
    fileAt(offset) {
      const { lineNumber, columnNumber } = placeOf(offset);
      const entry = map.findEntry(lineNumber, columnNumber);
      // Code without a source has no entry of its own, and the nearest one before it is another line's.
      if (!('originalSource' in entry) || entry.generatedLine !== lineNumber) return undefined;
      return relative(PROJECT_ROOT, join(dirname(path), entry.originalSource));
    },
  };
}
