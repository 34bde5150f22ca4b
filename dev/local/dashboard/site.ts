/** The built dashboard as files: which one answers a path, with which type and how long it may be kept. */
import { readFile, stat } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { DASHBOARD_FILE_PATH, dashboardCacheControl } from '../../../lambdas/gateway/core/contract.ts';
import { contentTypeOf } from '../../tools/content-type.ts';
import { errorCode } from '../../tools/json.ts';

export interface SiteFile {
  /** Path below the site's root, without a leading slash. */
  path: string;
  body: Buffer;
  contentType: string;
  cacheControl: string;
}

/** The page behind every path that names no file: the dashboard reads the path itself. */
const INDEX = 'index.html';

const FILE_PATH = new RegExp(DASHBOARD_FILE_PATH);

/**
 * The file for a request's path, or `index.html` for one of the page's own, as the deployed site answers.
 * @returns 'missing' for a file that is not there, undefined while the dashboard is not built.
 */
export async function siteFile(root: string, requestPath: string): Promise<SiteFile | 'missing' | undefined> {
  const path = FILE_PATH.test(requestPath) ? safePath(requestPath) : INDEX;
  const found = path === undefined ? undefined : await read(root, path);
  return found ?? ((await read(root, INDEX)) === undefined ? undefined : 'missing');
}

/** The path of a file below the root, or undefined for one that leads to a folder, out of the root or to a file of tools. */
export function safePath(requestPath: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(requestPath);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const path = normalize(decoded).replace(/^\/+/, '');
  const leadsElsewhere = path.split(sep).some((part) => part === '' || part === '..' || part.startsWith('.'));
  return leadsElsewhere ? undefined : path;
}

/** Files as they were read last, by their place on the disk, with what shows that they are still those. */
const known = new Map<string, { state: string; file: SiteFile }>();

/** Returns the same object while the file is unchanged, so that derived data is computed once. */
async function read(root: string, path: string): Promise<SiteFile | undefined> {
  const place = join(root, path);
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(place, { bigint: true });
    const state = [ino, size, mtimeNs, ctimeNs].join();
    const before = known.get(place);
    if (before?.state === state) return before.file;
    const file = {
      path,
      body: await readFile(place),
      contentType: contentTypeOf(path),
      cacheControl: dashboardCacheControl(path),
    };
    known.set(place, { state, file });
    return file;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
