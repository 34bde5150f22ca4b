import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Files that stand for services whose job is to keep secrets, for the provider, and for the person at this computer. */
const VAULTS = new Set(['secrets.json', 'kms-keys.json', 'issuer-key.json', 'simulator.json', 'local.json']);

/** Everything the gateway has stored, by name: rows of table, indexes and stream, and every file that is no vault. */
export function stored(folder: string): { readonly name: string; readonly text: string }[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !VAULTS.has(entry.name))
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'latin1') }));
  return [...files, { name: 'rows', text: rowsOf(join(folder, 'dynamodb.sqlite')) }];
}

/** Every column of every row: a value that spans two pages of the file is whole here. */
function rowsOf(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
  database.close();
  const text = (value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
  return rows.map((row) => Object.values(row).map(text).join('\n')).join('\n');
}
