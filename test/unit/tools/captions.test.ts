import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captionOf, hashOf, ILLUSTRATED, IMAGES, picturesIn, readShown } from '../../../dev/tools/captions.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

const shown = readShown();
const pictures = ILLUSTRATED.flatMap((page) => picturesIn(readFileSync(join(PROJECT_ROOT, page), 'utf8')));

describe('a picture of the dashboard', () => {
  it('a picture of the dashboard has a caption that names what it shows, and nothing else; npm run screenshots writes both', () => {
    expect(pictures.length).toBeGreaterThan(0);
    for (const { caption, file } of pictures)
      expect([file, caption]).toEqual([file, captionOf(shown.get(file)?.headings ?? [])]);
  });

  it('a picture of the dashboard is the one whose caption was made with it', () => {
    const files = readdirSync(IMAGES).filter((name) => name.startsWith('dashboard-'));
    expect(files.toSorted()).toEqual([...shown.keys()].toSorted());
    for (const file of files) expect([file, hashOf(file)]).toEqual([file, shown.get(file)?.sha256]);
  });

  it('a picture of the dashboard is on no page that captions are not written to', () => {
    const docs = readdirSync(join(PROJECT_ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const withPictures = docs.filter(
      (name) => picturesIn(readFileSync(join(PROJECT_ROOT, 'docs', name), 'utf8')).length > 0,
    );
    expect(withPictures.map((name) => `docs/${name}`).filter((page) => !ILLUSTRATED.includes(page))).toEqual([]);
  });
});
