/** The built dashboard as files: which one answers a path, with which type and how long it may be kept. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { dashboardCacheControl } from '../../lambdas/shared/contract.ts';
import { errorCode } from '../json.ts';
import { contentTypeOf } from './content-type.ts';

export interface SiteFile {
  /** Path below the site's root, without a leading slash. */
  path: string;
  body: Buffer;
  contentType: string;
  cacheControl: string;
}

/** The page behind every path that names no file: the dashboard reads the path itself. */
const INDEX = 'index.html';

/**
 * The file for a request's path; a path that names none gets `index.html`, as the deployed site answers.
 * @returns undefined while the dashboard is not built.
 */
export async function siteFile(root: string, requestPath: string): Promise<SiteFile | undefined> {
  const path = safePath(requestPath);
  const found = path === undefined ? undefined : await read(root, path);
  return found ?? read(root, INDEX);
}

/** The path below the root, or undefined for one that names no file or leads out of it. */
export function safePath(requestPath: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(requestPath);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const path = normalize(decoded).replace(/^\/+/, '');
  // A folder or a name without an ending is a path of the dashboard's own.
  if (path.split(sep).some((part) => part === '..' || part.startsWith('.')) || extname(path) === '') return undefined;
  return path;
}

async function read(root: string, path: string): Promise<SiteFile | undefined> {
  try {
    return {
      path,
      body: await readFile(join(root, path)),
      contentType: contentTypeOf(path),
      cacheControl: dashboardCacheControl(path),
    };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
