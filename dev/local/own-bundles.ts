/** Bundles that a gateway builds for itself while it runs, in folders of their own: those of the stack stay as they are. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { Message } from 'esbuild';
import { functionBuilder, PROJECT_ROOT } from '../tools/build.ts';
import { errorMessage } from '../tools/json.ts';
import type { LocalFunction } from './template/functions.ts';

/** One function's new bundle, or in words why there is none. */
export interface Built {
  functionName: string;
  folder?: string;
  problem?: string;
}

export interface OwnBundles {
  /**
   * Builds each function into a new folder.
   * @param changed absolute paths: functions that read none of them are left out, unless their last build failed
   */
  build(changed?: ReadonlySet<string>): Promise<Built[]>;
  /** Removes the folders that are not in use. */
  tidy(inUse: readonly string[]): void;
  close(): Promise<void>;
}

export interface OwnBundlesOptions {
  functions: readonly Pick<LocalFunction, 'displayName' | 'codeFolder'>[];
  /** Functions whose bundles keep names and lines as they are, for a debugger. */
  readable: readonly string[];
  /** The project whose sources are built. */
  root: string;
  /** Where bundles go; what an earlier run left there is removed. */
  folder: string;
}

/** Opens a builder for each function. */
export function openOwnBundles({ functions, readable, root, folder }: OwnBundlesOptions): OwnBundles {
  rmSync(folder, { recursive: true, force: true });
  let made = 0;
  const each = functions.map(({ displayName, codeFolder }) => {
    const builder = functionBuilder({
      name: displayName,
      sourceRoot: join(root, 'lambdas'),
      folder: join(folder, displayName),
      readable: readable.includes(displayName),
    });
    let failed = false;
    return {
      isConcerned(changed: ReadonlySet<string>): boolean {
        const inputs = builder.inputs();
        return failed || [...changed].some((path) => inputs.has(path));
      },
      async build(changed: ReadonlySet<string> | undefined): Promise<Built> {
        try {
          const { files } = await builder.build(changed);
          failed = false;
          made += 1;
          // Alongside the folder that the source map is made for: the way to the sources is the same from here.
          const own = join(folder, `${displayName}.${made}`);
          mkdirSync(folder, { recursive: true });
          // Only the stack's bundle contains the deployment's own files, such as its logo.
          cpSync(codeFolder, own, { recursive: true });
          for (const { path, contents } of files) writeFileSync(join(own, basename(path)), contents);
          return { functionName: displayName, folder: own };
        } catch (error) {
          failed = true;
          return { functionName: displayName, problem: problemsOf(error, root) };
        }
      },
      dispose: () => builder.dispose(),
    };
  });
  return {
    build: (changed) =>
      Promise.all(
        each.filter((one) => changed === undefined || one.isConcerned(changed)).map((one) => one.build(changed)),
      ),
    tidy(inUse) {
      const kept = new Set(inUse.map((path) => resolve(path)));
      const there = existsSync(folder) ? readdirSync(folder).map((name) => resolve(folder, name)) : [];
      for (const path of there.filter((one) => !kept.has(one))) rmSync(path, { recursive: true, force: true });
    },
    async close() {
      await Promise.all(each.map((one) => one.dispose()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Problems of the sources found by a build: one line each, beginning with its place. */
function problemsOf(error: unknown, root: string): string {
  if (!hasMessages(error)) return errorMessage(error);
  const lines = error.errors.map(({ text, location }) => {
    if (location === null) return text;
    const file = relative(root, resolve(PROJECT_ROOT, location.file));
    // Columns count from 0 there and from 1 in editors.
    return `${file}:${location.line}:${location.column + 1}: ${text}`;
  });
  return lines.join('\n');
}

function hasMessages(error: unknown): error is { errors: readonly Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
