import { type FieldSelection, parseFields } from './field-selector.ts';

const FILE = 'kind,id,name,mimeType';

/** What Drive answers without `fields`; Calendar always answers with whole resources. */
const DEFAULTS: Record<string, string> = {
  'drive.files.list': `kind,incompleteSearch,nextPageToken,files(${FILE})`,
  'drive.files.get': FILE,
  'drive.files.create': FILE,
  'drive.files.update': FILE,
  'drive.files.copy': FILE,
  'drive.changes.list': `kind,nextPageToken,newStartPageToken,changes(kind,type,changeType,time,removed,fileId,file(${FILE}))`,
};

const PARSED = new Map(Object.entries(DEFAULTS).map(([id, fields]) => [id, parseFields(fields)]));

/** The selection a method applies when the call names none; `undefined` shows everything. */
export function defaultFields(methodId: string): FieldSelection | undefined {
  return PARSED.get(methodId);
}
