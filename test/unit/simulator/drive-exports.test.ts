import { expect, test } from 'vitest';
import { api, apiFailure, apiJson, obtainTokens, record, records, startTestSimulator, text } from './harness.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function open() {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const json = (path: string) => apiJson(simulator, accessToken, path);
  const call = (path: string) => api(simulator, accessToken, path);
  const document = async () => {
    const q = encodeURIComponent("mimeType = 'application/vnd.google-apps.document'");
    const [file] = records((await json(`/drive/v3/files?q=${q}&fields=files(id,exportLinks,webViewLink)`)).files);
    return file ?? {};
  };
  return { json, call, document };
}

test('names every format of Google’s types, and what uploads become', async () => {
  const { json } = await open();
  const about = await json('/drive/v3/about?fields=exportFormats,importFormats,maxImportSizes');
  const formats = record(about.exportFormats);
  expect(formats['application/vnd.google-apps.document']).toEqual(
    expect.arrayContaining([WORD, 'application/rtf', 'application/epub+zip', 'text/markdown']),
  );
  expect(Object.keys(formats)).toContain('application/vnd.google-apps.presentation');
  expect(record(about.importFormats)[WORD]).toEqual(['application/vnd.google-apps.document']);
});

test('links every export of an editor file, on another host than the API', async () => {
  const { document } = await open();
  const { exportLinks, webViewLink } = await document();
  expect(text(record(exportLinks)[WORD])).toMatch(/^https:\/\/docs\.google\.com\/.*exportFormat=docx$/);
  expect(text(webViewLink)).toMatch(/^https:\/\/docs\.google\.com\/document\/d\//);
});

test.each([
  [WORD, 'PK'],
  ['application/vnd.oasis.opendocument.text', 'PK'],
  ['application/epub+zip', 'PK'],
  ['application/rtf', '{\\rtf1'],
  ['text/markdown', '# '],
])('exports a document as %s', async (mimeType, start) => {
  const { call, document } = await open();
  const { id } = await document();
  const answer = await call(`/drive/v3/files/${text(id)}/export?mimeType=${encodeURIComponent(mimeType)}`);
  expect(answer.headers.get('content-type')).toBe(mimeType);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, start.length).toString('latin1')).toBe(start);
  // OpenDocument and EPUB name their type at a fixed place of the archive.
  if (/opendocument|epub/.test(mimeType)) expect(bytes.subarray(30, 38).toString('latin1')).toBe('mimetype');
});

test.each<[query: string, status: number, reason: string]>([
  ["q=name = 'unfinished", 400, 'invalid'],
  ['corpora=drive&includeItemsFromAllDrives=true', 400, 'teamDriveIdRequiresTeamDriveCorpora'],
  ['driveId=0AA', 400, 'teamDriveIdRequiresTeamDriveCorpora'],
  ['corpora=allDrives', 403, 'forbidden'],
  ['corpora=drive&driveId=0AA&includeItemsFromAllDrives=true', 404, 'notFound'],
  ["q=fullText contains 'plan'&orderBy=name", 400, 'badRequest'],
])('refuses a list with %s', async (query, status, reason) => {
  const { call } = await open();
  expect(await apiFailure(await call(`/drive/v3/files?${query.replaceAll(' ', '%20')}`))).toMatchObject({
    status,
    reason,
  });
});
