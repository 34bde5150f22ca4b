import { type ApiCall, type ApiResult, booleanParameter, integerParameter } from '../api/call.ts';
import { ApiError, invalidParameter, invalidValue } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { refusal } from '../api/refusals.ts';
import { isRecord } from '../parse.ts';
import type { DriveFile } from '../state/drive.ts';
import { projectOf } from '../state/store.ts';
import { rootFolderId } from './dataset.ts';
import { linesOf } from './document-text.ts';
import { describeFile, viewOf } from './file-resource.ts';
import { isFor } from './permissions.ts';
import { matchesSearch, type SearchContext } from './search-match.ts';
import { mentionsField, parentsIn, parseSearch, type SearchExpression, SearchSyntaxError } from './search-syntax.ts';
import { requireDrive } from './shared-drives.ts';
import { sortFiles } from './sort-files.ts';
import { appDataFolderId, callersDrive, isVisible, requireFile } from './visibility.ts';

/** Where a list searches (Google Drive API, "Search for files and folders", the table of corpora). */
type Corpora = { kind: 'user' | 'domain' | 'allDrives' } | { kind: 'drive'; driveId: string };

function searchContext(call: ApiCall): SearchContext {
  const { account, token } = call.caller;
  const store = call.sim.drive;
  return {
    account,
    rootId: rootFolderId(account),
    appDataId: appDataFolderId(call),
    permissionsOf: (file) => store.permissionsOf(file),
    isTrashed: (file) => store.isTrashed(file),
    viewOf: (file) => viewOf(file, account.sub),
    labelsOf: (file) => store.notes(file.id).labels,
    appPropertiesOf(file) {
      const all = isRecord(file.extra.appProperties) ? file.extra.appProperties : {};
      return all[projectOf(token.clientId)];
    },
    readText(file) {
      if (file.content === null) return linesOf(file).join('\n');
      if (!file.mimeType.startsWith('text/')) return '';
      const source = store.open(file);
      return source === undefined ? '' : Buffer.concat([...source.read(0, source.length)]).toString('utf8');
    },
  };
}

function readFlag(call: ApiCall, name: string, formerName: string): boolean {
  return booleanParameter(call, name, booleanParameter(call, formerName, false));
}

/**
 * Reads what a list is to search, as Drive does.
 * @throws {ApiError} in the order in which Drive looks: 400 for an unknown corpus; 403 for shared drives without
 *   `includeItemsFromAllDrives`, and for that without `supportsAllDrives`; 400 for `driveId` without `corpora=drive` and the
 *   reverse; 404 for a shared drive that is not there
 */
function readCorpora(call: ApiCall): Corpora {
  const named = call.query.get('corpora') ?? call.query.get('corpus') ?? 'user';
  if (call.query.has('corpora') && call.query.has('corpus')) {
    throw invalidParameter('corpora', 'Corpus and corpora are mutually exclusive options.');
  }
  const kinds = new Set(
    named.split(',').map((kind) =>
      kind
        .trim()
        .replace(/TeamDrive/, 'Drive')
        .replace('teamDrive', 'drive'),
    ),
  );
  const unknown = [...kinds].find((kind) => !['user', 'domain', 'drive', 'allDrives', 'default'].includes(kind));
  if (unknown !== undefined) throw invalidParameter('corpora', `Invalid value '${unknown}'.`);
  const driveId = call.query.get('driveId') ?? call.query.get('teamDriveId');
  const reaches = driveId !== null || kinds.has('drive') || kinds.has('allDrives');
  const withItems = readFlag(call, 'includeItemsFromAllDrives', 'includeTeamDriveItems');
  if (reaches && !withItems) {
    const message =
      'The includeItemsFromAllDrives parameter must be set to true when driveId is specified or corpora contains drive or allDrives.';
    throw new ApiError({ code: 403, reason: 'includeTeamDriveItemsRequired', message });
  }
  if (withItems && !readFlag(call, 'supportsAllDrives', 'supportsTeamDrives')) {
    const message = 'The supportsAllDrives parameter was not set to true.';
    throw new ApiError({ code: 403, reason: 'supportsTeamDrivesRequired', message });
  }
  if ((driveId !== null) !== kinds.has('drive')) {
    const message = 'The driveId parameter must be specified if and only if corpora is set to drive.';
    throw new ApiError({ code: 400, reason: 'teamDriveIdRequiresTeamDriveCorpora', message });
  }
  if (driveId !== null) return { kind: 'drive', driveId: requireDrive(call, driveId).drive.id };
  if (kinds.has('allDrives')) return { kind: 'allDrives' };
  return { kind: kinds.has('domain') ? 'domain' : 'user' };
}

/**
 * True for an item of the user's own corpus: what the user owns, was given or has opened (Drive API v3, "Files: list", corpora).
 * What somebody only reaches as a member of a shared drive is not, and neither is what a link opens.
 */
function isOwnCorpus(call: ApiCall, file: DriveFile): boolean {
  const { account } = call.caller;
  const { viewedTime, modifiedTime } = viewOf(file, account.sub);
  if (viewedTime !== null || modifiedTime !== null) return true;
  if (file.driveId === null) return callersDrive(call).accessTo(file)?.isNamed === true;
  return file.permissions.some((one) => (one.type === 'user' || one.type === 'group') && isFor(one, account));
}

/**
 * Files of a corpus that the caller may see.
 * @param folders whose children are asked for: the corpus follows the folder, as "Files: list" says of `q`
 */
function filesIn(call: ApiCall, corpora: Corpora, folders: ReadonlySet<string>): DriveFile[] {
  const drive = callersDrive(call);
  const { account } = call.caller;
  const withDrives = readFlag(call, 'includeItemsFromAllDrives', 'includeTeamDriveItems');
  const isKnown = (file: DriveFile) =>
    isOwnCorpus(call, file) || (file.driveId !== null && folders.has(file.parents[0] ?? ''));
  const isReached = (file: DriveFile) =>
    isOwnCorpus(call, file) || (file.driveId !== null && drive.accessTo(file)?.isNamed === true);
  const isFound = (file: DriveFile) =>
    call.sim.drive
      .permissionsOf(file)
      .some(({ record }) => record.type === 'domain' && record.allowFileDiscovery && isFor(record, account));
  return drive.files().filter((file) => {
    if (file.driveId !== null && !withDrives) return false;
    switch (corpora.kind) {
      case 'drive':
        return file.driveId === corpora.driveId;
      case 'domain':
        return isFound(file);
      case 'allDrives':
        return isReached(file);
      default:
        return isKnown(file);
    }
  });
}

const SPACES = ['drive', 'appDataFolder', 'photos'];

function readSpaces(call: ApiCall): string[] {
  const spaces = (call.query.get('spaces') ?? 'drive').split(',').map((space) => space.trim());
  const unknown = spaces.find((space) => !SPACES.includes(space));
  if (unknown !== undefined) throw invalidParameter('spaces', `Invalid value '${unknown}'.`);
  return spaces;
}

function candidates(call: ApiCall, folders: ReadonlySet<string>): DriveFile[] {
  const spaces = readSpaces(call);
  const inDrive = spaces.includes('drive') ? filesIn(call, readCorpora(call), folders) : [];
  if (!spaces.includes('appDataFolder')) return inDrive;
  const folder = requireFile(call, 'appDataFolder').id;
  return [...inDrive, ...call.sim.drive.childrenOf(folder)];
}

function parsed(q: string): SearchExpression | undefined {
  if (q === '') return undefined;
  try {
    return parseSearch(q);
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    throw invalidValue('q');
  }
}

function findFiles(call: ApiCall, q: string): DriveFile[] {
  const expression = parsed(q);
  const folders = new Set(expression === undefined ? [] : parentsIn(expression));
  const files = candidates(call, folders).filter((file) => isVisible(call, file));
  if (expression === undefined) return files;
  if (mentionsField(expression, 'fullText') && call.query.has('orderBy')) throw refusal('sortedFullText');
  try {
    const context = searchContext(call);
    return files.filter((file) => matchesSearch(file, expression, context));
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    throw invalidValue('q');
  }
}

/** `files.list`: `q`, `orderBy`, pages of 100 unless `pageSize` says otherwise. */
export function listFiles(call: ApiCall): ApiResult {
  const { account } = call.caller;
  const q = call.query.get('q') ?? '';
  const orderBy = call.query.get('orderBy') ?? '';
  const scope = ['spaces', 'corpora', 'driveId', 'includeItemsFromAllDrives'].map((name) => call.query.get(name) ?? '');
  const fingerprint = `files.list ${account.sub} ${scope.join(' ')} ${orderBy} ${q}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidValue('pageToken');
  const sorted = sortFiles(findFiles(call, q), orderBy, (file) => viewOf(file, account.sub));
  const { page, next } = takePage(sorted, offset, integerParameter(call, 'pageSize', 100));
  return {
    resource: {
      kind: 'drive#fileList',
      ...(next === undefined ? {} : { nextPageToken: encodePageToken(next, fingerprint) }),
      incompleteSearch: false,
      files: page.map((file) => describeFile(call, file)),
    },
  };
}
