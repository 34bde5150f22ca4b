/** Rows as CSV (RFC 4180), for a spreadsheet: a cell that it would take for a formula is kept as text by a leading apostrophe. */
export function csv(rows: readonly (readonly (string | undefined)[])[]): string {
  return rows.map((row) => `${row.map((cell) => quoted(cell ?? '')).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  // OWASP, "CSV Injection": the signs and their full-width forms, tab and the ends of lines.
  const text = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
