import { invalidParameter } from '../api/envelope.ts';
import { type DriveFile, FOLDER_TYPE } from './records.ts';

type Order = (a: DriveFile, b: DriveFile) => number;

const byText =
  (read: (file: DriveFile) => string): Order =>
  (a, b) => {
    const left = read(a);
    const right = read(b);
    return left < right ? -1 : Number(left > right);
  };

const NATURAL = new Intl.Collator('en', { numeric: true });

const ORDERS: Record<string, Order> = {
  createdTime: byText((file) => file.createdTime),
  folder: (a, b) => Number(b.mimeType === FOLDER_TYPE) - Number(a.mimeType === FOLDER_TYPE),
  modifiedByMeTime: byText((file) => file.modifiedTime),
  modifiedTime: byText((file) => file.modifiedTime),
  name: byText((file) => file.name.toLowerCase()),
  name_natural: (a, b) => NATURAL.compare(a.name, b.name),
  quotaBytesUsed: (a, b) => (a.content?.size ?? 0) - (b.content?.size ?? 0),
  recency: byText((file) => file.modifiedTime),
  sharedWithMeTime: () => 0,
  starred: (a, b) => Number(b.starred) - Number(a.starred),
  viewedByMeTime: byText((file) => file.modifiedTime),
};

/**
 * Sorts by an `orderBy` list such as `folder,modifiedTime desc`; without one, latest first. Ids settle ties, so that
 * pages never overlap.
 * @throws {ApiError} 400 for an unknown key
 */
export function sortFiles(files: readonly DriveFile[], orderBy: string): DriveFile[] {
  const orders = (orderBy === '' ? 'modifiedTime desc' : orderBy).split(',').map((part): Order => {
    const [key = '', direction] = part.trim().split(/\s+/);
    const order = Object.hasOwn(ORDERS, key) ? ORDERS[key] : undefined;
    if (order === undefined || (direction !== undefined && direction !== 'desc')) {
      throw invalidParameter('orderBy', `Invalid Value: ${part.trim()}`);
    }
    return direction === 'desc' ? (a, b) => order(b, a) : order;
  });
  const byId = byText((file) => file.id);
  return [...files].sort((a, b) => orders.reduce((result, order) => result || order(a, b), 0) || byId(a, b));
}
