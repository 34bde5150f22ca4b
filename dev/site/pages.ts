/** Which documents the static site has, how its sidebar is grouped, and where its links lead. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PROJECT_ROOT } from '../tools/run.ts';

/** Folders and files of the repository whose documents are pages; the rest is for those who have the code in front of them. */
const PAGES =
  /^(?:(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|(?:docs|contributing|examples)\/.*\.md|(?:lib|packages\/[a-z]+|dev\/(?:bench|second-opinions))\/(?:README|REFERENCE|METHODS)\.md)$/;

/** A page of the sidebar. */
export interface SidebarPage {
  readonly text: string;
  /** Path from the root of the site. */
  readonly link: string;
}

/** A group of the sidebar: a heading of the index. */
export interface SidebarGroup {
  readonly text: string;
  readonly items: readonly SidebarPage[];
}

/** Whether a document is a page of the site. @param path from the project's root, with slashes */
export function isPage(path: string): boolean {
  return PAGES.test(path);
}

/** Where a document is on the site: a README is the page of its folder. */
export function siteFile(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.md');
}

/**
 * A link of a document as the site has it: pages by their place there, addresses as they are.
 *
 * @param from path of the document from the project's root
 * @returns undefined for code and folders, which the site does not have
 */
export function siteLink(from: string, target: string): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const isImage = /\.(?:png|svg)$/.test(path);
  if (!isImage && !isPage(posix.join(posix.dirname(from), path))) return undefined;
  return `${siteFile(path)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The anchor of a heading, by GitHub's rule: lower case, blanks to hyphens, no punctuation. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/ /g, '-');
}

/** The sidebar: the groups of the index, each with the pages that it lists, by their titles. */
export function sidebar(): SidebarGroup[] {
  const [, ...groups] = read('docs/README.md').split(/^### /m);
  const listed = new Set<string>();
  return groups.map((group) => {
    const pages = [...group.matchAll(/\]\(([a-z-]+\.md)[#)]/g)].map(([, page = '']) => page);
    const fresh = pages.filter((page) => !listed.has(page) && listed.add(page));
    return {
      text: group.slice(0, group.indexOf('\n')),
      items: fresh.map((page) => ({ text: titleOf(`docs/${page}`), link: `/docs/${page.slice(0, -'.md'.length)}` })),
    };
  });
}

function titleOf(path: string): string {
  return /^# (.*)$/m.exec(read(path))?.[1] ?? path;
}

function read(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}
