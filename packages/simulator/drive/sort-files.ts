import { invalidValue } from '../api/envelope.ts';
import { type DriveFile, FOLDER_TYPE, type UserView } from '../state/drive.ts';

/** A file with what the caller has with it. */
interface Entry {
  file: DriveFile;
  view: UserView;
}

type Order = (a: Entry, b: Entry) => number;

const byText =
  (read: (entry: Entry) => string): Order =>
  (a, b) => {
    const left = read(a);
    const right = read(b);
    return left < right ? -1 : Number(left > right);
  };

const NATURAL = new Intl.Collator('en', { numeric: true });
const isFolder = ({ file }: Entry) => Number(file.mimeType === FOLDER_TYPE);

const ORDERS: Record<string, Order> = {
  createdTime: byText(({ file }) => file.createdTime),
  folder: (a, b) => isFolder(b) - isFolder(a),
  modifiedByMeTime: byText(({ view }) => view.modifiedTime ?? ''),
  modifiedTime: byText(({ file }) => file.modifiedTime),
  name: byText(({ file }) => file.name.toLowerCase()),
  name_natural: (a, b) => NATURAL.compare(a.file.name, b.file.name),
  quotaBytesUsed: (a, b) => (a.file.content?.size ?? 0) - (b.file.content?.size ?? 0),
  recency: byText(
    ({ file, view }) =>
      [file.modifiedTime, view.viewedTime ?? '', view.modifiedTime ?? '', view.sharedTime ?? ''].sort().at(-1) ?? '',
  ),
  sharedWithMeTime: byText(({ view }) => view.sharedTime ?? ''),
  starred: (a, b) => Number(b.view.starred) - Number(a.view.starred),
  viewedByMeTime: byText(({ view }) => view.viewedTime ?? ''),
};

/**
 * Sorts by an `orderBy` list such as `folder,modifiedTime desc`; without one, latest first. Ids settle ties, so that
 * pages never overlap.
 * @param viewOf what the caller has with a file
 * @throws {ApiError} 400 for an unknown key
 */
export function sortFiles(
  files: readonly DriveFile[],
  orderBy: string,
  viewOf: (file: DriveFile) => UserView,
): DriveFile[] {
  const orders = (orderBy === '' ? 'modifiedTime desc' : orderBy).split(',').map((part): Order => {
    const [key = '', direction] = part.trim().split(/\s+/);
    const order = Object.hasOwn(ORDERS, key) ? ORDERS[key] : undefined;
    if (order === undefined || (direction !== undefined && direction !== 'desc')) {
      throw invalidValue('orderBy');
    }
    return direction === 'desc' ? (a, b) => order(b, a) : order;
  });
  const byId = byText(({ file }) => file.id);
  return files
    .map((file): Entry => ({ file, view: viewOf(file) }))
    .sort((a, b) => orders.reduce((result, order) => result || order(a, b), 0) || byId(a, b))
    .map(({ file }) => file);
}
