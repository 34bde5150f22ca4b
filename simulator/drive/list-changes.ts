import { type ApiCall, type ApiResult, booleanParameter, integerParameter } from '../api/call.ts';
import { invalidParameter } from '../api/envelope.ts';
import { takePage } from '../api/page-token.ts';
import { describeFile } from './file-resource.ts';
import type { DriveChange } from './records.ts';
import { callersDrive, isVisible } from './visibility.ts';

/** `changes.getStartPageToken`: where a client that wants only what comes later starts. */
export function getStartPageToken(call: ApiCall): ApiResult {
  return { resource: { kind: 'drive#startPageToken', startPageToken: String(callersDrive(call).nextChange()) } };
}

function describeChange(call: ApiCall, change: DriveChange): Record<string, unknown> {
  const file = callersDrive(call).find(change.fileId);
  const shown = file !== undefined && isVisible(call, file);
  return {
    kind: 'drive#change',
    type: 'file',
    changeType: 'file',
    time: new Date(change.timeMs).toISOString(),
    removed: !shown,
    fileId: change.fileId,
    ...(shown ? { file: describeFile(call.sim.drive, call.caller.account, file, call.fields !== undefined) } : {}),
  };
}

/** `changes.list`: each changed file once, oldest change first; the last page carries `newStartPageToken`. */
export function listChanges(call: ApiCall): ApiResult {
  const drive = callersDrive(call);
  const token = call.query.get('pageToken') ?? '';
  if (!/^\d{1,15}$/.test(token) || Number(token) > drive.nextChange()) {
    throw invalidParameter('pageToken', 'Invalid Value');
  }
  const withRemoved = booleanParameter(call, 'includeRemoved', true);
  const changes = drive.changesFrom(Number(token)).filter((change) => withRemoved || !change.removed);
  const { page, next } = takePage(changes, 0, integerParameter(call, 'pageSize', 100));
  const nextChange = next === undefined ? undefined : changes[next];
  return {
    resource: {
      kind: 'drive#changeList',
      ...(nextChange === undefined
        ? { newStartPageToken: String(drive.nextChange()) }
        : { nextPageToken: String(nextChange.seq) }),
      changes: page.map((change) => describeChange(call, change)),
    },
  };
}
