import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewriteUploadLocation } from '../../../lambdas/gateway/proxying/headers.rules.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const API = 'https://www.googleapis.com';
const BASE = 'https://gateway.example.com/v1';
const rewritten = (location: string, provider = googleDrive) =>
  rewriteUploadLocation([['Location', location]], provider, API, BASE)[0]?.[1];

describe('rewriteUploadLocation (PX-15)', () => {
  it.each([
    '/upload/drive/v3/files?uploadType=resumable&upload_id=AB%2Fc+d',
    '/resumable/upload/drive/v3/files/a%20b?upload_id=x#y',
    '/upload/drive/v3/files',
  ])('moves %s to the gateway, path and query byte for byte', (target) => {
    expect(rewritten(API + target)).toBe(`${BASE}/proxy${target}`);
  });

  it.each([
    // Of another host.
    ...[
      `${API}.evil.example`,
      `${API}@evil.example`,
      `${API}:8443`,
      'https://evil.example',
      'http://www.googleapis.com',
    ].map((origin) => `${origin}/upload/drive/v3/files`),
    'https://user:canary@www.googleapis.com/upload/drive/v3/files',
    // No upload, or no address.
    ...[`${API}/drive/v3/files/1?alt=media`, `${API}/drive/v3/files?next=/upload/drive/v3/`, `${API}/upload/drive/v3`],
    ...[`${API}/upload/youtube/v3/videos`, API, '', 'https://', 'upload/drive/v3/files', 'files?upload_id=x'],
    // A way out of the upload paths.
    ...['..;/admin', '%252e%252e/admin', '..%2f..%2fadmin', '..%5c..%5cadmin', '%00', '../../../connections'].map(
      (rest) => `${API}/upload/drive/v3/${rest}`,
    ),
    ...['%2e%2e/%2E%2e/%2e%2e/connections', '..\\..\\..\\connections'].map((rest) => `${API}/upload/drive/v3/${rest}`),
  ])('leaves %j as it is', (location) => {
    expect(rewritten(location)).toBe(location);
  });

  it.each([
    ['a dot segment', `${API}/upload/drive/v3/x/../files?a=1`, '/upload/drive/v3/files?a=1'],
    ['an encoded one', `${API}/upload/drive/v3/%2e/files`, '/upload/drive/v3/files'],
    ['a way out and back in', `${API}/drive/../upload/drive/v3/files`, '/upload/drive/v3/files'],
    ['empty segments', `${API}/upload/drive/v3//..//../files`, '/upload/drive/v3/files'],
    ['a backslash', `${API}\\upload\\drive\\v3\\files?b=\\`, '/upload/drive/v3/files?b=\\'],
    ['capitals', 'HTTPS://WWW.GoogleAPIs.com/upload/drive/v3/files?C=D', '/upload/drive/v3/files?C=D'],
    ['the port of the scheme', 'https://www.googleapis.com:443/upload/drive/v3/files', '/upload/drive/v3/files'],
    ['no scheme', '//www.googleapis.com/upload/drive/v3/files', '/upload/drive/v3/files'],
    ['no host', '/upload/drive/v3/files?upload_id=x', '/upload/drive/v3/files?upload_id=x'],
  ])('PR-15: moves an address with %s as what it means', (_what, location, target) => {
    expect(rewritten(location)).toBe(`${BASE}/proxy${target}`);
  });

  it('PR-15: sends nobody outside the upload paths, whatever the provider answers', () => {
    const piece = fc.constantFrom(
      ...['/', '..', '.', '%2e', '%2F', '%5c', '\\', ';', 'upload', 'drive', 'v3', 'files', '?', '#', '%25', '@', ':'],
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom('', API, `${API}/upload/drive/v3/`),
        (pieces, start) => {
          const location = start + pieces.join('');
          const sent = rewritten(location) ?? '';
          if (sent === location) return;
          // What any client resolves stays below the upload paths.
          const once = sent.replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\');
          for (const text of [sent, sent.replaceAll('%25', '%'), once]) {
            expect(new URL(text).href.startsWith(`${BASE}/proxy/upload/drive/v3/`)).toBe(true);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each(['X-Goog-Upload-URL', 'x-goog-upload-control-url'])(
    'moves %s too: Google’s other upload protocol names its session there',
    (name) => {
      const sent = [[name, `${API}/upload/drive/v3/files?upload_id=x`]] as const;
      const [header] = rewriteUploadLocation(sent, googleDrive, API, BASE);
      expect(header).toEqual([name, `${BASE}/proxy/upload/drive/v3/files?upload_id=x`]);
    },
  );

  it('rewrites nothing for a provider without uploads', () => {
    const location = `${API}/upload/drive/v3/files`;
    expect(rewritten(location, googleCalendar)).toBe(location);
  });

  it('touches no other header and keeps their order', () => {
    const at = `${API}/upload/drive/v3/files`;
    const headers = Object.entries({ 'Content-Location': at, LOCATION: at, ETag: '"1"' });
    const moved = { 'Content-Location': at, LOCATION: `${BASE}/proxy/upload/drive/v3/files`, ETag: '"1"' };
    expect(rewriteUploadLocation(headers, googleDrive, API, BASE)).toEqual(Object.entries(moved));
  });
});
