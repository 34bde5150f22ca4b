import { type ApiCall, type ApiResult, integerParameter } from '../api/call.ts';
import { ApiError, invalidParameter } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { rootFolderId } from './dataset.ts';
import { describeFile } from './file-resource.ts';
import type { DriveFile } from './records.ts';
import { matchesSearch, type SearchContext } from './search-match.ts';
import { mentionsField, parseSearch, type SearchExpression, SearchSyntaxError } from './search-syntax.ts';
import { sortFiles } from './sort-files.ts';
import { callersDrive, isVisible } from './visibility.ts';

function searchContext(call: ApiCall): SearchContext {
  const { account } = call.caller;
  return {
    account,
    rootId: rootFolderId(account),
    readText(file) {
      if (!file.mimeType.startsWith('text/')) return '';
      const source = call.sim.drive.open(file);
      return source === undefined ? '' : Buffer.concat([...source.read(0, source.length)]).toString('utf8');
    },
  };
}

function search(call: ApiCall, files: DriveFile[], expression: SearchExpression): DriveFile[] {
  if (mentionsField(expression, 'fullText') && call.query.has('orderBy')) {
    const message =
      'Sorting is not supported for queries with fullText terms. Results are always in descending relevance order.';
    throw new ApiError({ code: 400, reason: 'badRequest', message, location: 'orderBy' });
  }
  const context = searchContext(call);
  return files.filter((file) => matchesSearch(file, expression, context));
}

function findFiles(call: ApiCall, q: string): DriveFile[] {
  const files = callersDrive(call)
    .files()
    .filter((file) => isVisible(call, file));
  if (q === '') return files;
  try {
    return search(call, files, parseSearch(q));
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    throw new ApiError({ code: 400, reason: 'invalid', message: 'Invalid Value', location: 'q' });
  }
}

/** Corpora that reach beyond the user's own files; the simulator has no shared drives. */
const WITH_SHARED_DRIVES = new Set(['drive', 'allDrives']);

/**
 * Checks what a list is to search, as Drive does.
 * @throws {ApiError} 403 for shared drives without `includeItemsFromAllDrives`, or `driveId` without `corpora=drive` and the
 *   reverse; 404 for a shared drive that is not there
 */
function checkCorpora(call: ApiCall): void {
  const corpora = call.query.get('corpora') ?? 'user';
  const driveId = call.query.get('driveId');
  if ((driveId !== null) !== (corpora === 'drive')) {
    const message = 'The driveId parameter must be specified if and only if corpora is set to drive.';
    throw new ApiError({ code: 403, reason: 'teamDriveIdRequiresTeamDriveCorpora', message });
  }
  if (WITH_SHARED_DRIVES.has(corpora) && call.query.get('includeItemsFromAllDrives') !== 'true') {
    const message =
      'The includeItemsFromAllDrives parameter must be set to true when driveId is specified or corpora contains drive or allDrives.';
    throw new ApiError({ code: 403, reason: 'forbidden', message });
  }
  if (driveId !== null) {
    throw new ApiError({
      code: 404,
      reason: 'notFound',
      message: `Shared drive not found: ${driveId}`,
      location: 'driveId',
    });
  }
}

/** `files.list`: `q`, `orderBy`, pages of 100 unless `pageSize` says otherwise. */
export function listFiles(call: ApiCall): ApiResult {
  checkCorpora(call);
  const spaces = call.query.get('spaces') ?? 'drive';
  const q = call.query.get('q') ?? '';
  const orderBy = call.query.get('orderBy') ?? '';
  const fingerprint = `files.list ${call.caller.account.sub} ${spaces} ${orderBy} ${q}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidParameter('pageToken', 'Invalid Value');
  const found = spaces.split(',').includes('drive') ? findFiles(call, q) : [];
  const { page, next } = takePage(sortFiles(found, orderBy), offset, integerParameter(call, 'pageSize', 100));
  const { account } = call.caller;
  return {
    resource: {
      kind: 'drive#fileList',
      ...(next === undefined ? {} : { nextPageToken: encodePageToken(next, fingerprint) }),
      incompleteSearch: false,
      files: page.map((file) => describeFile(call.sim.drive, account, file, call.fields !== undefined)),
    },
  };
}
