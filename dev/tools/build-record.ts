/** What a build was made of and what it made: one of the same sources that finds all of it in place has nothing to do. */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { filesBelow } from './files-below.ts';

const recordSchema = z.object({
  /** {@link keyOf} of what it was made of. */
  key: z.string(),
  /** Files outside of the sources' folder that it read. */
  read: z.array(z.string()),
  /** SHA-256 of each file that it made, by its path. */
  made: z.record(z.string(), z.string()),
  /** What the caller wants to know of it. */
  result: z.unknown(),
});

export interface RecordOptions {
  /** Where the record is kept. */
  readonly file: string;
  /** Folder of the sources: any file in it may decide what a build makes. */
  readonly sources: string;
  /** Other files that do, such as settings of the bundler. One that is not there counts as empty. */
  readonly settings: readonly string[];
  /** What else does: names, versions. */
  readonly about: unknown;
  /** Folders that hold nothing but what a build makes. */
  readonly folders: readonly string[];
}

/**
 * The `result` of the last build, where a new one would make the same: content is compared, never times. Undefined where there was
 * no build, or where any file has changed, is missing or is one too many.
 */
export async function resultOfLastBuild(options: RecordOptions): Promise<unknown> {
  const record = readRecord((await contentOf(options.file))?.toString());
  if (record === undefined || record.key !== (await keyOf(options, record.read))) return undefined;
  const made = await Promise.all(
    Object.entries(record.made).map(async ([path, hash]) => hashOf(await contentOf(path)) === hash),
  );
  if (made.includes(false)) return undefined;
  const found = options.folders.flatMap(filesBelow);
  return found.every((path) => Object.hasOwn(record.made, path)) ? record.result : undefined;
}

/** A build in progress. */
export interface OpenBuild {
  /** Writes down what was made, unless a source has changed meanwhile: then nobody can tell which of both was bundled. */
  finish(build: {
    /** Absolute paths of its inputs, those among the sources included or not. */
    readonly read: Iterable<string>;
    /** What it wrote, not what is there: another build may have written since. */
    readonly made: readonly { readonly path: string; readonly contents: Uint8Array }[];
    readonly result: unknown;
  }): Promise<void>;
}

/** Begins a build and forgets the last one: a build that is interrupted leaves no record. */
export async function openBuild(options: RecordOptions): Promise<OpenBuild> {
  await rm(options.file, { force: true });
  const before = await keyOf(options, []);
  return {
    async finish(build) {
      const read = [...new Set(build.read)].filter((path) => !path.startsWith(`${options.sources}/`)).toSorted();
      const made = Object.fromEntries(build.made.map(({ path, contents }) => [path, hashOf(contents)]));
      const key = await keyOf(options, read);
      if ((await keyOf(options, [])) !== before) return;
      const record: z.infer<typeof recordSchema> = { key, read, made, result: build.result };
      await writeFile(options.file, JSON.stringify(record));
    },
  };
}

/** A record that was written in part counts as none. */
function readRecord(text = ''): z.infer<typeof recordSchema> | undefined {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function keyOf({ sources, settings, about }: RecordOptions, read: readonly string[]): Promise<string> {
  const files = [...filesBelow(sources), ...settings, ...read];
  const hashes = await Promise.all(files.map(async (path) => [path, hashOf(await contentOf(path))]));
  return hashOf(Buffer.from(JSON.stringify([about, hashes])));
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined);
}

function hashOf(content: Uint8Array | undefined): string {
  return content === undefined ? '' : createHash('sha256').update(content).digest('hex');
}
