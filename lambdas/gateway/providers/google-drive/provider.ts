import { GOOGLE_SCOPE_PREFIX } from '../google/scopes.ts';
import { GOOGLE_CLIENTS_URL, google } from '../google/server.ts';
import type { ProviderDefinition } from '../provider.rules.ts';
import { DRIVE_METHOD_MEANINGS } from './method-meanings.ts';
import { DRIVE_METHODS } from './methods.ts';
import { DRIVE_RESTRICTED_SCOPES, DRIVE_SCOPES } from './scopes.ts';

/** Google Drive API v3, with the Drive Activity API v2. Scope classes: "Choose Google Drive API scopes", developers.google.com. */
export const provider: ProviderDefinition<'google-drive'> = {
  id: 'google-drive',
  displayName: 'Google Drive',
  place: 1,
  docsUrl: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  logoUrl: 'https://ssl.gstatic.com/images/branding/product/2x/drive_2020q4_48dp.png',
  categories: ['storage'],
  server: google,
  console: {
    clientsUrl: GOOGLE_CLIENTS_URL,
    enableApiUrl: 'https://console.cloud.google.com/apis/library/drive.googleapis.com',
    enableToolServerUrl: 'https://console.cloud.google.com/apis/library/drivemcp.googleapis.com',
  },
  otherOrigins: { drive_activity: 'https://driveactivity.googleapis.com' },
  toolServer: { name: 'drive_mcp', endpoint: 'https://drivemcp.googleapis.com/mcp/v1' },
  apiPaths: [
    { prefix: '/drive/v3/' },
    { prefix: '/upload/drive/v3/' },
    { prefix: '/resumable/upload/drive/v3/' },
    // Where Google's Java and Objective-C clients fetch media (discovery: `useMediaDownloadService`).
    { prefix: '/download/drive/v3/' },
    { prefix: '/batch/drive/v3' },
    // The one method of the Drive Activity API.
    { prefix: '/v2/activity:query', origin: 'drive_activity' },
  ],
  uploadPathPrefixes: ['/upload/drive/v3/', '/resumable/upload/drive/v3/'],
  batchPaths: ['/batch/drive/v3'],
  batchMaxParts: 100,
  batchPartPrefixes: ['/drive/v3/'],
  defaultScopes: [`${GOOGLE_SCOPE_PREFIX}drive.readonly`],
  restrictedScopes: DRIVE_RESTRICTED_SCOPES,
  picker: {
    scope: `${GOOGLE_SCOPE_PREFIX}drive.file`,
    aboutPath: '/drive/v3/about?fields=user(permissionId%2CemailAddress)',
    filesPath: '/drive/v3/files/',
    accessToWiden: 'online',
  },
  pathPatterns: [...new Set(DRIVE_METHODS.map(([, , pattern]) => pattern)), '/batch/drive/v3'],
  methods: DRIVE_METHODS,
  // Google, "Usage limits" of the Drive API, for projects since May 2026. The daily numbers were published as billing thresholds, not
  // as limits.
  quota: {
    perMinute: 1_000_000,
    perMinuteAndUser: 325_000,
    perDay: 400_000_000,
    bytesOutPerDay: 1_000_000_000_000,
  },
  methodMeanings: DRIVE_METHOD_MEANINGS,
  // Calls of methods with `supportsAllDrives` that omit it: they do not find files of shared drives (discovery, revision 20260916).
  missesWithout: {
    calls:
      /^(?!.*[?&]supports(?:All|Team)Drives=true(?:[?&]|$))[^?]*\/drive\/v3\/(?:changes|files)(?:\/(?!trash|generate)[^/?]+(?:\/(?:copy|watch|permissions(?:\/[^/?]+)?))?)?(?:\?|$)/i,
    hint: 'all_drives',
  },
  healthCheckPath: '/drive/v3/about?fields=user',
  firstCall: '/drive/v3/files?pageSize=5',
  sampleCalls: [
    { label: 'About the account', target: '/drive/v3/about?fields=user,storageQuota' },
    { label: 'Ten files', target: '/drive/v3/files?pageSize=10&fields=files(id,name,mimeType,modifiedTime)' },
    { label: 'Folders', target: "/drive/v3/files?q=mimeType='application/vnd.google-apps.folder'&pageSize=10" },
  ],
  // Reading everything and writing files of the app's own.
  firstTryScopes: ['drive.readonly', 'drive.file'],
  scopes: DRIVE_SCOPES,
};
