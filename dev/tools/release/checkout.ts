/** What git says of the folder that a release is made from. */
import { spawnSync } from 'node:child_process';

/** A commit, and what the folder around it has that the commit has not. */
export interface Checkout {
  /** Full hash of the commit. */
  readonly commit: string;
  /** First line of the commit's message. */
  readonly subject: string;
  /** Files that are changed or new since the commit. */
  readonly changed: readonly string[];
}

function git(root: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout : undefined;
}

/** The commit that a folder holds; undefined where git is missing or the folder is no clone, such as an unpacked archive. */
export function readCheckout(root: string): Checkout | undefined {
  const head = git(root, 'log', '-1', '--format=%H%n%s');
  const status = git(root, 'status', '--porcelain');
  if (head === undefined || status === undefined) return undefined;
  const [commit = '', subject = ''] = head.split('\n');
  const changed = status.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
  return { commit, subject, changed };
}

/** Every file of the folder that git holds or would hold, relative to it. @throws Error where git cannot list them */
export function filesOf(root: string): string[] {
  const listed = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  if (listed === undefined) throw new Error('git cannot list the files of this folder.');
  return listed.split('\0').filter((file) => file !== '');
}

/** A sentence about files, of which it names the first three. */
export function namesOf(files: readonly string[]): string {
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  return `${files.slice(0, 3).join(', ')}${more}`;
}

/**
 * Why what lies here is not the release of a version; undefined when it is.
 *
 * @param version the version that `package.json` says
 * @param hasUnreleased whether the change log has changes that no version has yet
 */
export function whyNoRelease(
  checkout: Checkout | undefined,
  version: string,
  hasUnreleased: boolean,
): string | undefined {
  if (hasUnreleased) return `CHANGELOG.md has changes after ${version}`;
  // An unpacked archive of a release has no commits, and a change log that ends with its version.
  if (checkout === undefined) return undefined;
  if (checkout.changed.length > 0) return `files differ from their commit: ${namesOf(checkout.changed)}`;
  if (checkout.subject === `Release ${version}`) return undefined;
  return `the commit is "${checkout.subject}", not "Release ${version}"`;
}

/** Part of a hash that previews are named by. */
const HASH_LENGTH = 8;

/**
 * The version of a preview: above the last version, below the next, named after its commit.
 *
 * @param version the last version, X.Y.Z
 */
export function previewVersion(version: string, { commit, changed }: Checkout): string {
  const [major = '0', minor = '0', patch = '0'] = version.split('.');
  // Semantic versioning takes digits alone for a number, which may not begin with 0.
  let length = HASH_LENGTH;
  while (/^\d+$/.test(commit.slice(0, length)) && length < commit.length) length += 1;
  const hash = commit.slice(0, length);
  return `${major}.${minor}.${Number(patch) + 1}-preview.${hash}${changed.length > 0 ? '.changed' : ''}`;
}
