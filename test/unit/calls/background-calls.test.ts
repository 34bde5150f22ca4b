import { describe, expect, it } from 'vitest';
import { BackgroundCalls } from '../../../lambdas/gateway/calls/background-calls.ts';
import { readCallLine } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';

const NOW_MS = NOW_EPOCH_SEC * 1000;

/** Calls that feeds made, and the lines that they left. */
function feeds() {
  const lines: string[] = [];
  const deps = {
    journal: { append: (line: string) => void lines.push(line) },
    providers: PROVIDERS,
    clock: { nowMs: () => NOW_MS + 40 },
    random: { bytes: (length: number) => new Uint8Array(length), number: () => 0 },
  };
  return { calls: new BackgroundCalls(deps, 'feeds'), lines: () => lines.map(readCallLine) };
}

const LIST = {
  connection: connection({ clientId: '12345-abc.apps.googleusercontent.com' }),
  provider: 'google-drive',
  method: 'GET',
  target: '/drive/v3/changes?pageToken=7',
  status: 200,
  bytesIn: 0,
  bytesOut: 900,
  startedAtMs: NOW_MS,
} as const;

describe('a call that the gateway makes for itself', () => {
  it('PC-21: leaves a line with units, bytes and project, under the name of the work', () => {
    const { calls, lines } = feeds();
    calls.made(LIST);
    const [line] = lines();
    expect(line).toMatchObject({ key: 'feeds', units: 100, bytesOut: 900, project: '12345', class: 'ok', totalMs: 40 });
    expect(line).toMatchObject({ connection: LIST.connection.connectionId, account: LIST.connection.accountId });
  });

  it('PC-21: counts as much where no answer came, because the request may have reached Google', () => {
    const { calls, lines } = feeds();
    calls.made({ ...LIST, status: undefined, bytesOut: 0 });
    expect(lines()).toMatchObject([{ units: 100, bytesOut: 0, class: 'providerFailed' }]);
  });

  it('PC-20: of Calendar is one request, whatever it asks', () => {
    const { calls, lines } = feeds();
    calls.made({ ...LIST, provider: 'google-calendar', target: '/calendar/v3/calendars/primary/events?syncToken=1' });
    expect(lines()).toMatchObject([{ provider: 'google-calendar', units: 1 }]);
  });
});
