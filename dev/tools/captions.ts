/** Captions of the dashboard's pictures: what the page showed when the picture was taken, and nothing else. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { asObject, asString, parseJson } from './json.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Where the pictures are, and what each shows. */
export const IMAGES = join(ROOT, 'docs', 'images');
const RECORD = join(IMAGES, 'captions.json');
/** The pages with pictures of the dashboard. */
export const ILLUSTRATED = ['README.md'];

/** What a picture shows: the page's heading, then those of the panels in sight. */
export interface Shown {
  readonly headings: readonly string[];
  /** Of the picture, so that none is replaced without its caption. */
  readonly sha256: string;
}

/** Headings of pages and panels, and of alerts, which the component library marks by a class. */
const HEADINGS = 'main h1, main h2, main [class*=awsui_alert] [class*=awsui_header]:not(:has([class*=awsui_header]))';

/** Headings of a page that are wholly in sight, without counts. */
export async function headingsInSight(page: Page): Promise<string[]> {
  return page.locator(HEADINGS).evaluateAll((all) =>
    all
      .filter((one) => {
        const { top, bottom, height } = one.getBoundingClientRect();
        return height > 0 && top >= 0 && bottom <= innerHeight;
      })
      .map((one) => (one.textContent ?? '').replace(/\s*\(\d+\)$/, '').trim())
      .filter((text) => text !== ''),
  );
}

/** The caption of a picture with these headings. */
export function captionOf([page = '', ...panels]: readonly string[]): string {
  return panels.length === 0 ? page : `${page}: ${panels.join(', ')}`;
}

/** What each picture shows, by its file name. */
export function readShown(): ReadonlyMap<string, Shown> {
  const record = asObject(parseJson(readFileSync(RECORD, 'utf8'), RECORD), RECORD);
  return new Map(
    Object.entries(record).map(([file, value]) => {
      const { headings, sha256 } = asObject(value, file);
      if (!Array.isArray(headings)) throw new Error(`${RECORD}: ${file} has no headings`);
      return [file, { headings: headings.map((one) => asString(one, file)), sha256: asString(sha256, file) }];
    }),
  );
}

/** Keeps what a picture shows, and writes its caption into the pages that show it. */
export function writeShown(taken: ReadonlyMap<string, readonly string[]>): void {
  const record = Object.fromEntries([...taken].map(([file, headings]) => [file, { headings, sha256: hashOf(file) }]));
  // Short lists on one line, as the formatter has them.
  const text = JSON.stringify(record, null, 2).replace(/\[\s+([^\]]*?)\s+\]/g, (_, list: string) => {
    return `[${list.replace(/\n\s*/g, ' ')}]`;
  });
  writeFileSync(RECORD, `${text}\n`);
  for (const page of ILLUSTRATED) {
    const path = join(ROOT, page);
    const text = readFileSync(path, 'utf8').replace(PICTURE, (whole, _caption: string, file: string) => {
      const headings = taken.get(basename(file));
      return headings === undefined ? whole : `![${captionOf(headings)}](${file})`;
    });
    writeFileSync(path, text);
  }
}

/** Pictures of a text, with their captions. */
export function picturesIn(markdown: string): { readonly caption: string; readonly file: string }[] {
  return [...markdown.matchAll(PICTURE)].map(([, caption = '', file = '']) => ({ caption, file: basename(file) }));
}

export function hashOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(IMAGES, file)))
    .digest('hex');
}

const PICTURE = /!\[([^\]]*)\]\(([^)]*\/dashboard-[\w-]+\.png)\)/g;
