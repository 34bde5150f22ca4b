/** The built dashboard as files: which one answers a path, with which type and how long it may be kept. */
import { readFile } from 'node:fs/promises';
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
