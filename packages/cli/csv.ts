/** Rows as CSV (RFC 4180), for a spreadsheet: a cell that it would take for a formula is kept as text by a leading apostrophe. */
export function csv(rows: readonly (readonly (string | undefined)[])[]): string {
  return rows.map((row) => `${row.map((cell) => quoted(cell ?? '')).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
