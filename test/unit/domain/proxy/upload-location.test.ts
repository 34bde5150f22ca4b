import { describe, expect, it } from 'vitest';
import { rewriteUploadLocation } from '../../../../lambdas/shared/domain/proxy/upload-location.ts';
import { googleCalendar } from '../../../../lambdas/shared/providers/google-calendar.ts';
import { googleDrive } from '../../../../lambdas/shared/providers/google-drive.ts';

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
    `${API}/drive/v3/files/1?alt=media`,
    `${API}/drive/v3/files?next=/upload/drive/v3/`,
    `${API}.evil.example/upload/drive/v3/files`,
    `${API}@evil.example/upload/drive/v3/files`,
    `${API}:8443/upload/drive/v3/files`,
    'https://evil.example/upload/drive/v3/files',
    'http://www.googleapis.com/upload/drive/v3/files',
    `//www.googleapis.com/upload/drive/v3/files`,
    '/upload/drive/v3/files?upload_id=x',
    `${API}/upload/drive/v3`,
    `${API}/upload/youtube/v3/videos`,
    API,
    '',
  ])('leaves %j as it is', (location) => {
    expect(rewritten(location)).toBe(location);
  });

  it('rewrites nothing for a provider without uploads', () => {
    const location = `${API}/upload/drive/v3/files`;
    expect(rewritten(location, googleCalendar)).toBe(location);
  });

  it('touches no other header and keeps their order', () => {
    const headers = [
      ['Content-Location', `${API}/upload/drive/v3/files`],
      ['LOCATION', `${API}/upload/drive/v3/files`],
      ['ETag', '"1"'],
    ] as const;
    expect(rewriteUploadLocation(headers, googleDrive, API, BASE)).toEqual([
      headers[0],
      ['LOCATION', `${BASE}/proxy/upload/drive/v3/files`],
      headers[2],
    ]);
  });
});
