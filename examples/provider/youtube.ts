import type { Provider } from '../../lambdas/gateway/providers/provider.rules.ts';

const SCOPE_PREFIX = 'https://www.googleapis.com/auth/';

/** YouTube Data API v3, as a third provider would be written. Scopes: "OAuth 2.0 Scopes for Google APIs". */
export const youtube: Omit<Provider, 'id'> & { readonly id: 'youtube' } = {
  id: 'youtube',
  displayName: 'YouTube',
  docsUrl: 'https://developers.google.com/youtube/v3/docs',
  logoUrl: 'https://www.gstatic.com/images/branding/product/2x/youtube_48dp.png',
  categories: ['video'],
  issuerSpellings: ['https://accounts.google.com', 'accounts.google.com'],
  apiPaths: [
    { prefix: '/youtube/v3/', origin: 'apiOrigin' },
    { prefix: '/upload/youtube/v3/', origin: 'apiOrigin' },
    { prefix: '/resumable/upload/youtube/v3/', origin: 'apiOrigin' },
  ],
  uploadPathPrefixes: ['/upload/youtube/v3/', '/resumable/upload/youtube/v3/'],
  batchPaths: [],
  batchMaxParts: 0,
  batchPartPrefixes: [],
  defaultScopes: [`${SCOPE_PREFIX}youtube.readonly`],
  pathPatterns: [
    '/youtube/v3/channels',
    '/youtube/v3/videos',
    '/upload/youtube/v3/videos',
    '/resumable/upload/youtube/v3/videos',
  ],
  healthCheckPath: '/youtube/v3/channels?part=id&mine=true',
  scopes: [
    { scope: 'openid', reviewClass: 'non-sensitive', meaning: 'Know which Google account this is.' },
    { scope: 'email', reviewClass: 'non-sensitive', meaning: 'See the e-mail address of the Google account.' },
    { scope: `${SCOPE_PREFIX}youtube.readonly`, reviewClass: 'sensitive', meaning: 'See the YouTube account.' },
    { scope: `${SCOPE_PREFIX}youtube.upload`, reviewClass: 'sensitive', meaning: 'Upload YouTube videos.' },
    { scope: `${SCOPE_PREFIX}youtube`, reviewClass: 'sensitive', meaning: 'Manage the YouTube account.' },
  ],
};
