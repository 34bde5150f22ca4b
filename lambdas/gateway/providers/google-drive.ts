import { GOOGLE_IDENTITY_SCOPES, GOOGLE_ISSUER_SPELLINGS, GOOGLE_SCOPE_PREFIX, googleScope } from './google.ts';
import type { Provider } from './provider.rules.ts';

/** Google Drive API v3, with the Drive Activity API v2. Scope classes: "Choose Google Drive API scopes", developers.google.com. */
export const googleDrive: Provider = {
  id: 'google-drive',
  displayName: 'Google Drive',
  docsUrl: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  logoUrl: 'https://ssl.gstatic.com/images/branding/product/2x/drive_2020q4_48dp.png',
  categories: ['storage'],
  issuerSpellings: GOOGLE_ISSUER_SPELLINGS,
  apiPaths: [
    { prefix: '/drive/v3/', origin: 'apiOrigin' },
    { prefix: '/upload/drive/v3/', origin: 'apiOrigin' },
    { prefix: '/resumable/upload/drive/v3/', origin: 'apiOrigin' },
    // Where Google's Java and Objective-C clients fetch media (discovery: `useMediaDownloadService`).
    { prefix: '/download/drive/v3/', origin: 'apiOrigin' },
    { prefix: '/batch/drive/v3', origin: 'apiOrigin' },
    // The one method of the Drive Activity API.
    { prefix: '/v2/activity:query', origin: 'driveActivityOrigin' },
  ],
  uploadPathPrefixes: ['/upload/drive/v3/', '/resumable/upload/drive/v3/'],
  batchPaths: ['/batch/drive/v3'],
  batchMaxParts: 100,
  batchPartPrefixes: ['/drive/v3/'],
  defaultScopes: [`${GOOGLE_SCOPE_PREFIX}drive.readonly`],
  restrictedScopes: {
    permittedApps:
      'Google gives restricted Drive scopes to two kinds of app: those that sync a user’s files to a device or back them up, and productivity or education apps whose users work with Drive in them. Any other app is turned down in the review.',
    insteadScope: `${GOOGLE_SCOPE_PREFIX}drive.file`,
    instead:
      'Ask for drive.file instead and let your users choose their files in Google’s picker: the app then reaches those files and the ones it makes. Connect sessions with pick show the picker. Neither the review for restricted scopes nor the security assessment is needed.',
  },
  picker: {
    scope: `${GOOGLE_SCOPE_PREFIX}drive.file`,
    aboutPath: '/drive/v3/about?fields=user(permissionId%2CemailAddress)',
    filesPath: '/drive/v3/files/',
    accessToWiden: 'online',
  },
  healthCheckPath: '/drive/v3/about?fields=user',
  scopes: [
    ...GOOGLE_IDENTITY_SCOPES,
    googleScope('drive.file', 'non-sensitive', 'See, edit, create and delete only the Drive files used with this app.'),
    googleScope('drive.appdata', 'non-sensitive', 'See, create and delete its own configuration data in Drive.'),
    googleScope('drive.install', 'non-sensitive', 'Appear in Drive as an app that opens files.'),
    googleScope('drive.apps.readonly', 'sensitive', 'See which Drive apps are installed.'),
    googleScope('drive', 'restricted', 'See, edit, create and delete all Drive files.'),
    googleScope('drive.readonly', 'restricted', 'See and download all Drive files.'),
    googleScope('drive.metadata', 'restricted', 'See and manage the metadata of Drive files.'),
    googleScope('drive.metadata.readonly', 'restricted', 'See information about Drive files, not their content.'),
    googleScope('drive.meet.readonly', 'restricted', 'See and download Drive files made or edited by Google Meet.'),
    googleScope('drive.scripts', 'restricted', "Change how the account's Apps Script scripts behave."),
    googleScope('drive.activity', 'restricted', 'See and add to the activity record of Drive files.'),
    googleScope('drive.activity.readonly', 'restricted', 'See the activity record of Drive files.'),
  ],
};
