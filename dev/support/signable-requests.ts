/** Requests that an AWS signer has to sign as the front door reads them (IA-14). */
import { METHODS } from '../../packages/simulator/api/method-table.ts';

/** A request at Google, its path and query as they go over the line. */
export interface SignableRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** Ids of files and calendars have signs that addresses encode, and signers encode once more. */
const ID = encodeURIComponent('a#b/c@d:e+f ü');

/** Every method of Google's APIs. */
const OF_METHODS: readonly SignableRequest[] = (['drive', 'calendar'] as const).flatMap((api) =>
  METHODS[api].map(({ verb, path }) => ({ method: verb, path: `/${api}/v3/${path.replaceAll(/\{\w+\}/g, ID)}` })),
);

/** Paths and queries of each kind as well, encoded as RFC 3986 has it. */
const OF_KINDS: readonly SignableRequest[] = [
  '/calendar/v3/calendars/en.german%23holiday%40group.v.calendar.google.com/events',
  '/calendar/v3/calendars/a@b.c/events?timeMin=2026-01-01T00%3A00%3A00%2B01%3A00',
  '/drive/v3/files?q=name%20%3D%20%27a%2Bb%27&fields=files%28id%2Cname%29',
  '/drive/v3/files?b=2&a=1&a=0&a=%C3%A9&A=3',
  '/drive/v3/files/a:b~c!d*e(f)',
  '/drive/v3/files/a%2Fb%252Fc',
  '/drive/v3/files?empty=&none',
].map((path) => ({ method: 'GET', path }));

const WITH_BODIES: readonly SignableRequest[] = [
  { method: 'POST', path: '/drive/v3/files', body: '{"name":"ü"}' },
  { method: 'PATCH', path: `/drive/v3/files/${ID}`, body: '' },
];

export const SIGNABLE_REQUESTS: readonly SignableRequest[] = [...OF_METHODS, ...OF_KINDS, ...WITH_BODIES];
