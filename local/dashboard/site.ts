/** The built dashboard as files: which one answers a path, with which type and how long it may be kept. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { dashboardCacheControl } from '../../lambdas/shared/contract.ts';
import { errorCode } from '../json.ts';

export interface SiteFile {
  /** Path below the site's root, without a leading slash. */
  path: string;
  body: Buffer;
  contentType: string;
  cacheControl: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

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
      contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
      cacheControl: dashboardCacheControl(path),
    };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
