import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CHANGELOG = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');

/** Entries of the part that no version has yet; empty right after a release. */
const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(CHANGELOG) ?? [];
const entries = unreleased.split(/^- /m).slice(1);

it('the unreleased changes are at most 60 entries, because one capability is one entry', () => {
  expect(entries.length).toBeLessThanOrEqual(60);
});

it('an unreleased change has at most 30 words and a link to its page', () => {
  const text = (entry: string) => entry.replaceAll(/\]\([^)]*\)/g, ']').replace(/^#+ .*$/m, '');
  const long = entries.filter((entry) => text(entry).trim().split(/\s+/).length > 30);
  const linkless = entries.filter((entry) => !/\]\([^)]+\)/.test(entry));
  expect({ long, linkless }).toEqual({ long: [], linkless: [] });
});

it('the summary of the unreleased changes has at most 400 words', () => {
  const [, summary = ''] = /^### What changes for you\n([\s\S]*?)(?=^### )/m.exec(unreleased) ?? [];
  expect(summary.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(400);
});
