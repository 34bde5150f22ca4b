import { expect } from 'vitest';
import { test, type User } from './harness.ts';
import { FILES } from './names.ts';
import { record, text } from './values.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const DOCUMENT = 'application/vnd.google-apps.document';

const someDocument = async ({ search }: User) => {
  const [file] = await search(`mimeType = '${DOCUMENT}'`, '&fields=files(id,exportLinks,webViewLink)');
  return record(file);
};

test('names every format of Google’s types, and what uploads become', async ({ owner }) => {
  const about = await owner.json('/drive/v3/about?fields=exportFormats,importFormats,maxImportSizes');
  const formats = record(about.exportFormats);
  const some = [WORD, 'application/rtf', 'application/epub+zip', 'text/markdown'];
  expect(formats[DOCUMENT]).toEqual(expect.arrayContaining(some));
  expect(formats).toHaveProperty(['application/vnd.google-apps.presentation']);
  expect(record(about.importFormats)[WORD]).toEqual([DOCUMENT]);
});

test('links every export of an editor file, on another host than the API', async ({ owner }) => {
  const { exportLinks, webViewLink } = await someDocument(owner);
  expect(record(exportLinks)[WORD]).toMatch(/^https:\/\/docs\.google\.com\/.*exportFormat=docx$/);
  expect(webViewLink).toMatch(/^https:\/\/docs\.google\.com\/document\/d\//);
});

test.for([
  [WORD, 'PK'],
  ['application/vnd.oasis.opendocument.text', 'PK'],
  ['application/epub+zip', 'PK'],
  ['application/rtf', '{\\rtf1'],
  ['application/pdf', '%PDF-'],
  ['text/markdown', '# '],
] as const)('exports a document as %s', async ([mimeType, start], { owner }) => {
  const { id } = await someDocument(owner);
  const answer = await owner.call(`${FILES}/${text(id)}/export?mimeType=${encodeURIComponent(mimeType)}`);
  expect(answer.headers.get('content-type')).toBe(mimeType);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, start.length).toString('latin1')).toBe(start);
  // OpenDocument and EPUB name their type at a fixed place of the archive.
  if (/opendocument|epub/.test(mimeType)) expect(bytes.subarray(30, 38).toString('latin1')).toBe('mimetype');
});

test('refuses a format that a document has not, its download, and other files’ export', async ({ owner }) => {
  const { id } = await someDocument(owner);
  expect(await owner.refusal(`${FILES}/${text(id)}/export?mimeType=image/gif`)).toContain('badRequest');
  expect(await owner.refusal(`${FILES}/${text(id)}?alt=media`)).toContain('fileNotDownloadable');
  const [image] = await owner.search("mimeType = 'image/png'");
  const exported = await owner.refusal(`${FILES}/${text(image?.id)}/export?mimeType=application/pdf`);
  expect(exported).toBe('403 fileNotExportable');
});

test.for([
  ["q=name = 'unfinished", '400 invalid'],
  ['corpora=world', '400 invalidParameter'],
  ['corpora=allDrives', '403 includeTeamDriveItemsRequired'],
  ['corpora=drive', '403 includeTeamDriveItemsRequired'],
  ['driveId=0AA', '403 includeTeamDriveItemsRequired'],
  ['corpora=drive&driveId=0AA', '403 includeTeamDriveItemsRequired'],
  ['includeItemsFromAllDrives=true', '403 supportsTeamDrivesRequired'],
  ['corpora=drive&includeItemsFromAllDrives=true', '403 supportsTeamDrivesRequired'],
  ['corpora=drive&includeItemsFromAllDrives=true&supportsAllDrives=true', '400 teamDriveIdRequiresTeamDriveCorpora'],
  ['driveId=0AA&includeItemsFromAllDrives=true&supportsAllDrives=true', '400 teamDriveIdRequiresTeamDriveCorpora'],
  ['corpora=drive&driveId=0AA&includeItemsFromAllDrives=true&supportsAllDrives=true', '404 notFound'],
  ["q=fullText contains 'plan'&orderBy=name", '403 forbidden'],
  ["q=name = 'x' and not fullText contains 'plan'&orderBy=folder,name desc", '403 forbidden'],
  ['orderBy=colour', '400 invalid'],
  ['orderBy=name sideways', '400 invalid'],
] as const)('refuses a list with %s', async ([query, refusal], { owner }) => {
  expect(await owner.refusal(`${FILES}?${query.replaceAll(' ', '%20')}`)).toBe(refusal);
});
