/** Data folders that versions left behind, as one small file each in `test/fixtures/data/`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import * as z from 'zod';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { LivedData } from './lived-data.ts';

/** Where the archives are. */
export const ARCHIVES = join(PROJECT_ROOT, 'test', 'fixtures', 'data');

const ABOUT = 'lived-data.json';

/** Says where a run was; nobody needs it afterwards. */
const OF_ONE_RUN = /^(?:local\.json|lock\..*|dashboard\b.*)$/;

const name = z.looseObject({ integration: z.string(), connection: z.string() });
const livedSchema = z.looseObject({
  version: z.string(),
  commit: z.string(),
  recordedAt: z.iso.datetime(),
  alive: z.array(name).min(1),
});

/** Names of the archives, oldest version first; what is not a version yet stands behind the one before it. */
export function archiveNames(): string[] {
  return readdirSync(ARCHIVES)
    .filter((file) => file.endsWith('.zip'))
    .map((file) => file.slice(0, -'.zip'.length))
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

/** Packs a data folder whose gateway has stopped. */
export function pack(folder: string, lived: LivedData, path: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !OF_ONE_RUN.test(entry.name),
  );
  const content = files.map((entry) => {
    const full = join(entry.parentPath, entry.name);
    return [full.slice(folder.length + 1), readFileSync(full)] as const;
  });
  const about = new TextEncoder().encode(JSON.stringify(lived, undefined, 1));
  const zip = zipSync({ [ABOUT]: about, ...Object.fromEntries(content) }, { level: 9 });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, zip);
}

/** What is known of an archive's data. */
export function livedDataOf(archive: string): LivedData {
  const { [ABOUT]: about } = unzipSync(readFileSync(join(ARCHIVES, `${archive}.zip`)), {
    filter: ({ name: file }) => file === ABOUT,
  });
  const lived: unknown = JSON.parse(new TextDecoder().decode(about));
  livedSchema.parse(lived);
  return lived as LivedData;
}

/** Unpacks an archive into an empty folder. */
export function unpack(archive: string, folder: string): void {
  const { [ABOUT]: _about, ...files } = unzipSync(readFileSync(join(ARCHIVES, `${archive}.zip`)));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content, { mode: 0o600 });
  }
}
