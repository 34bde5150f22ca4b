import { type FieldSelection, parseFields } from './field-selector.ts';

const FILE = 'kind,id,name,mimeType';
const DRIVE = 'kind,id,name';
const PERMISSION = 'kind,id,type,role';
const REVISION = 'kind,id,mimeType,modifiedTime';

/** What Drive answers without `fields`; Calendar always answers with whole resources. */
const DEFAULTS: Record<string, string> = {
  'drive.files.list': `kind,incompleteSearch,nextPageToken,files(${FILE})`,
  'drive.files.get': FILE,
  'drive.files.create': FILE,
  'drive.files.update': FILE,
  'drive.files.copy': FILE,
  'drive.changes.list': `kind,nextPageToken,newStartPageToken,changes(kind,type,changeType,time,removed,fileId,driveId,file(${FILE}),drive(${DRIVE}))`,
  'drive.drives.create': DRIVE,
  'drive.drives.get': DRIVE,
  'drive.drives.hide': DRIVE,
  'drive.drives.unhide': DRIVE,
  'drive.drives.update': DRIVE,
  'drive.drives.list': `kind,nextPageToken,drives(${DRIVE})`,
  'drive.teamdrives.create': DRIVE,
  'drive.teamdrives.get': DRIVE,
  'drive.teamdrives.update': DRIVE,
  'drive.teamdrives.list': `kind,nextPageToken,teamDrives(${DRIVE})`,
  'drive.permissions.create': PERMISSION,
  'drive.permissions.get': PERMISSION,
  'drive.permissions.update': PERMISSION,
  'drive.permissions.list': `kind,nextPageToken,permissions(${PERMISSION})`,
  'drive.revisions.get': REVISION,
  'drive.revisions.update': REVISION,
  'drive.revisions.list': `kind,nextPageToken,revisions(${REVISION})`,
};

const PARSED = new Map(Object.entries(DEFAULTS).map(([id, fields]) => [id, parseFields(fields)]));

/** The selection a method applies when the call names none; `undefined` shows everything. */
export function defaultFields(methodId: string): FieldSelection | undefined {
  return PARSED.get(methodId);
}
