/** The part of curl that the project's pages use: `-X`, `-H`, `-d`, `--fail-with-body`; refuses every other option. */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    'fail-with-body': { type: 'boolean', default: false },
  },
});
const [url, ...more] = positionals;
if (url === undefined || more.length > 0) throw new Error('One address, please.');

const headers = new Headers();
for (const line of values.header) {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`Not a header: ${line}`);
  headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
}
if (values.data !== undefined && !headers.has('content-type')) {
  headers.set('content-type', 'application/x-www-form-urlencoded');
}
const answer = await fetch(url, {
  method: values.request ?? (values.data === undefined ? 'GET' : 'POST'),
  headers,
  redirect: 'manual',
  ...(values.data === undefined ? {} : { body: values.data }),
});
process.stdout.write(Buffer.from(await answer.arrayBuffer()));
// curl's own exit code for an answer of 400 or above (man page, "EXIT CODES").
if (values['fail-with-body'] && answer.status >= 400) process.exitCode = 22;
