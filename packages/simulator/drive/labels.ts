import { findAccount } from '../accounts.ts';
import { type ApiCall, type ApiResult, integerParameter, jsonBody, pathParameter } from '../api/call.ts';
import { badRequest, invalidValue, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { isRecord } from '../parse.ts';
import { randomText } from '../random.ts';
import { type DriveFile, FOLDER_TYPE, type LabelRecord } from '../state/drive.ts';
import { applyChange } from './apply-change.ts';
import { describeLabel } from './label-resource.ts';
import { describeUser } from './user-resource.ts';
import { refuseAppData, requireFile, requireRole } from './visibility.ts';

/** Labels one file can have (Google Drive API, "Set a label field on a file"). */
const MAX_LABELS = 5;

function refuseFolder(file: DriveFile): void {
  refuseAppData(file);
  if (file.mimeType === FOLDER_TYPE) throw badRequest('A folder has no labels.');
}

/** `files.listLabels`. */
export function listLabels(call: ApiCall): ApiResult {
  const file = requireFile(call, pathParameter(call, 'fileId'));
  refuseFolder(file);
  const fingerprint = `labels ${file.id}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidValue('pageToken');
  const { page, next } = takePage(
    call.sim.drive.notes(file.id).labels,
    offset,
    integerParameter(call, 'maxResults', 100),
  );
  return {
    resource: {
      kind: 'drive#labelList',
      ...(next === undefined ? {} : { nextPageToken: encodePageToken(next, fingerprint) }),
      labels: page.map(describeLabel),
    },
  };
}

function textsOf(value: unknown, name: string): string[] {
  if (!Array.isArray(value)) throw badRequest(`${name} must be a list of text.`);
  return value.map((entry: unknown) => {
    if (typeof entry !== 'string') throw badRequest(`${name} must be a list of text.`);
    return entry;
  });
}

function usersOf(call: ApiCall, addresses: readonly string[]): Record<string, unknown>[] {
  return addresses.map((address) => {
    const account = findAccount(address);
    if (account === undefined) throw notFound(`User not found: ${address}.`, 'setUserValues');
    return describeUser(account, call.caller.account);
  });
}

/** Each way to set a field, with the member that holds the values afterwards and the name of the type. */
const SETTERS = [
  ['setTextValues', 'text', 'text'],
  ['setIntegerValues', 'integer', 'integer'],
  ['setDateValues', 'dateString', 'dateString'],
  ['setSelectionValues', 'selection', 'selection'],
  ['setUserValues', 'user', 'user'],
] as const;

function checkValues(name: string, values: readonly string[]): void {
  const form = { setIntegerValues: /^-?\d+$/, setDateValues: /^\d{4}-\d{2}-\d{2}$/ }[name];
  const wrong = form === undefined ? undefined : values.find((value) => !form.test(value));
  if (wrong !== undefined) throw badRequest(`Invalid value in ${name}: ${wrong}`);
}

function applyField(call: ApiCall, fields: LabelRecord['fields'], modification: Record<string, unknown>): void {
  const { fieldId } = modification;
  if (typeof fieldId !== 'string' || fieldId === '') throw badRequest('A field modification needs a fieldId.');
  if (modification.unsetValues === true) {
    delete fields[fieldId];
    return;
  }
  const setters = SETTERS.filter(([name]) => modification[name] !== undefined);
  const [setter] = setters;
  if (setter === undefined || setters.length > 1) throw badRequest('A field modification sets values of one type.');
  const [name, member, valueType] = setter;
  const values = textsOf(modification[name], name);
  checkValues(name, values);
  fields[fieldId] = {
    kind: 'drive#labelField',
    id: fieldId,
    valueType,
    [member]: member === 'user' ? usersOf(call, values) : values,
  };
}

function modify(call: ApiCall, labels: LabelRecord[], modification: Record<string, unknown>): LabelRecord[] {
  const { labelId } = modification;
  if (typeof labelId !== 'string' || labelId === '') throw badRequest('A label modification needs a labelId.');
  const others = labels.filter(({ id }) => id !== labelId);
  if (modification.removeLabel === true) return others;
  const fields = { ...labels.find(({ id }) => id === labelId)?.fields };
  const wanted: unknown[] = Array.isArray(modification.fieldModifications) ? modification.fieldModifications : [];
  for (const entry of wanted.filter(isRecord)) applyField(call, fields, entry);
  return [...others, { id: labelId, revisionId: randomText(8), fields }];
}

/** `files.modifyLabels`: all of it or nothing; what a label's fields may hold is the Labels API's to know. */
export function modifyLabels(call: ApiCall): ApiResult {
  const file = requireRole(call, pathParameter(call, 'fileId'), 'writer');
  refuseFolder(file);
  const { labelModifications } = jsonBody(call.http);
  if (!Array.isArray(labelModifications)) throw badRequest('labelModifications must be a list.');
  const modifications = labelModifications.filter(isRecord);
  const notes = call.sim.drive.notes(file.id);
  const labels = modifications.reduce<LabelRecord[]>((before, entry) => modify(call, before, entry), notes.labels);
  if (labels.length > MAX_LABELS) throw badRequest(`A file can have at most ${MAX_LABELS} labels.`);
  const apply = () => call.sim.drive.putNotes(file.id, { ...notes, labels });
  applyChange(call, { fileIds: [file.id], apply }, 'update', { appliedLabelChange: { changes: [] } });
  const named = new Set(modifications.map(({ labelId }) => labelId));
  return {
    resource: {
      kind: 'drive#modifyLabelsResponse',
      modifiedLabels: labels.filter(({ id }) => named.has(id)).map(describeLabel),
    },
  };
}
