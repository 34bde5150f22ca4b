import { GOOGLE_IDENTITY_SCOPES, GOOGLE_SCOPE_PREFIX, googleScope } from '../google/scopes.ts';
import type { RestrictedScopes, ScopeDefinition } from '../provider.rules.ts';

/** Scopes of the Google Drive and Drive Activity APIs, with their meaning for users. */
export const DRIVE_SCOPES: readonly ScopeDefinition[] = [
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
];

/** Apps that Google permits restricted scopes, and the alternative. */
export const DRIVE_RESTRICTED_SCOPES: RestrictedScopes = {
  permittedApps:
    'Google gives restricted Drive scopes to two kinds of app: those that sync a user’s files to a device or back them up, and productivity or education apps whose users work with Drive in them. Google refuses any other app in the review.',
  insteadScope: `${GOOGLE_SCOPE_PREFIX}drive.file`,
  instead:
    'Request drive.file instead and let your users choose their files in Google’s picker: the app can then access those files and the files it creates. Connect sessions with pick show the picker. Neither the review for restricted scopes nor the security assessment is needed.',
};
