import { expect, it } from 'vitest';
import { csv as commandLineCsv } from '../../../packages/cli/csv.ts';
import { csv } from '../../../packages/dashboard/src/model/csv.ts';

it.each([
  ['the dashboard', csv],
  ['the command line', commandLineCsv],
])('%s writes CSV that spreadsheets read as text, whatever people are called', (_, write) => {
  const rows = [
    ['a', 'b,c', 'say "hi"', 'two\nlines', undefined],
    ['=1+1', '+49', '-x', '@SUM(A1)', 'é'],
  ];
  expect(write(rows)).toBe(`a,"b,c","say ""hi""","two\nlines",\r\n'=1+1,'+49,'-x,'@SUM(A1),é\r\n`);
});

it.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
  'PR-16: a cell that begins with %j is kept as text',
  (sign) => {
    for (const write of [csv, commandLineCsv]) expect(write([[`${sign}1`]]).replace('"', '')).toMatch(/^'/);
  },
);
