import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventOf, followFile } from '../../../packages/cli/events/follow-file.ts';
import { remarkOf, shownEvent } from '../../../packages/cli/events/shown-event.ts';
import { findGateway } from '../../../packages/cli/gateway-address.ts';
import { commaList, durationSec, futureTime, given, pastTime, wholeNumber } from '../../../packages/cli/options.ts';
import { printFields, printRow, printTable, shortTime, showColumns, stateCell } from '../../../packages/cli/output.ts';
import { CommandProblem, describe as describeProblem, endWithProblem } from '../../../packages/cli/problems.ts';
import { makeProgram } from '../../../packages/cli/program.ts';
import { GatewayError, NetworkError, TimeoutError } from '../../../packages/client/src/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Keeps what is written to a stream until the end of the test. */
function caught(stream: NodeJS.WriteStream): () => string {
  let text = '';
  vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  return () => text;
}

function printed(work: () => void): string {
  const text = caught(process.stdout);
  work();
  vi.restoreAllMocks();
  return text();
}

/** Does something as in a terminal. */
function inTerminal(work: () => void): void {
  const { isTTY, hasColors } = process.stdout;
  process.stdout.isTTY = true;
  try {
    work();
  } finally {
    Object.assign(process.stdout, { isTTY, hasColors });
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('output', () => {
  it('shows nothing that would move the cursor of a terminal', () => {
    const text = printed(() => {
      printTable(['Name'], [['evil\u001b[2Jname\r\n\u202e']], 'none');
      printFields({ Name: ['a\u0007b'] });
    });
    expect(text).not.toMatch(/(?![\n\t])\p{Cc}|\u202e/u);
    expect(text).toContain('evil·[2Jname··');
  });

  it('puts tabs between the cells of fields and of streams for other programs, and columns for people', () => {
    const show = () => {
      printFields({ Name: 'Files', Scopes: ['a', 'b'], Empty: '', Absent: undefined });
      printRow(['2026-11-20T16:45Z', 'Feed', ''], [17, 8]);
    };
    expect(printed(show)).toBe('Name\tFiles\nScopes\ta\tb\nEmpty\t-\n2026-11-20T16:45Z\tFeed\t\n');
    inTerminal(() =>
      expect(printed(show)).toBe('Name    Files\nScopes  a\n        b\nEmpty   -\n2026-11-20T16:45Z  Feed\n'),
    );
  });

  it('colours states on a terminal that has colours, and nowhere else', () => {
    const show = () => printFields({ Health: stateCell('dead: user_revoked'), State: stateCell('new') });
    const red = '\u001b[31mdead: user_revoked\u001b[39m';
    expect(printed(show)).toBe('Health\tdead: user_revoked\nState\tnew\n');
    inTerminal(() => {
      process.stdout.hasColors = () => true;
      expect(printed(show)).toContain(red);
      process.stdout.hasColors = () => false;
      expect(printed(show)).toBe('Health  dead: user_revoked\nState   new\n');
    });
  });

  it('shows only the columns that are named, in their order', () => {
    const show = () => printTable(['Key', 'Made by', 'State'], [['k1', 'gateway', 'live']], 'none');
    showColumns(['state', 'made-by']);
    try {
      expect(printed(show)).toBe('State\tMade by\nlive\tgateway\n');
      showColumns(['Made by']);
      expect(printed(show)).toBe('Made by\ngateway\n');
      showColumns(['name']);
      expect(show).toThrow('There is no column name. Columns of this table: key, made-by, state.');
    } finally {
      showColumns(undefined);
    }
  });

  it('output is a table with lines for people, and cells between tabs for other programs', () => {
    const show = () =>
      printTable(
        ['Name', 'Long'],
        [
          ['a\tb', 'x'.repeat(300)],
          [undefined, true],
        ],
        'none',
      );
    expect(printed(show)).toBe(`Name\tLong\na·b\t${'x'.repeat(300)}\n-\tyes\n`);
    inTerminal(() => expect(printed(show)).toContain('│ a·b  │ xxx'));
  });

  it('says in words that a table is empty', () => {
    const show = () => printTable(['Name'], [], 'There is none.');
    inTerminal(() => expect(printed(show)).toBe('There is none.\n'));
    const onStderr = caught(process.stderr);
    show();
    expect(onStderr()).toBe('There is none.\n');
  });

  it('leaves the heads alone of an empty table to other programs', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(printed(() => printTable(['Name'], [], 'There is none.'))).toBe('Name\n');
  });
});

/** What the gateway says of a refusal in addition to its code and status. */
const FACTS = {
  requestId: 'r-1',
  problems: [],
  connection: undefined,
  retryAfterSec: undefined,
  applied: undefined,
  mayHaveBeenApplied: false,
};

/** What a failing command line leaves for a program: all of standard error, and the exit code. */
async function refusalAsJson(fail: () => unknown): Promise<{ err: string; exitCode: unknown }> {
  const err = caught(process.stderr);
  try {
    await fail();
  } catch (error) {
    endWithProblem(error, { json: true });
  }
  const { exitCode } = process;
  process.exitCode = 0;
  vi.restoreAllMocks();
  return { err: err(), exitCode };
}

describe('refusals with --json', () => {
  const parsed = async (fail: () => unknown) => {
    const { err, exitCode } = await refusalAsJson(fail);
    expect(err).toMatch(/^\{.*\}\n$/);
    const { error } = JSON.parse(err);
    expect(error.exit_code).toBe(exitCode);
    return error;
  };

  it('refusals with --json are one line of JSON on standard error, wrong usage too', async () => {
    const usage = (...words: string[]) =>
      parsed(() => makeProgram({ json: true }).parseAsync(['node', 'gateway', ...words]));
    const unknown = { code: 'wrong_usage', message: "unknown option '--nope'", exit_code: 2 };
    expect(await usage('--json', 'connections', 'list', '--nope')).toEqual(unknown);
    expect(await usage('--json', 'nothing')).toMatchObject({ code: 'wrong_usage', exit_code: 2 });
    // No gateway is named, neither by a folder nor by the settings of the person who runs the tests.
    const empty = temporaryFolder();
    vi.stubEnv('XDG_CONFIG_HOME', empty);
    vi.stubEnv('GATEWAY_BASE_URL', undefined);
    expect(await usage('connect', '--json', '--data', empty)).toMatchObject({ code: 'wrong_usage', exit_code: 2 });
    vi.unstubAllEnvs();
    const missing = await parsed(() => Promise.reject(new CommandProblem('Give one.')));
    expect(missing).toMatchObject({ code: 'wrong_usage', message: 'Give one.' });
  });

  it('refusals with --json end with the same code after wrong usage of every command', async () => {
    const leaves = (command: Command, words: readonly string[] = []): string[][] =>
      command.commands.length === 0
        ? [[...words]]
        : command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
    const commands = leaves(makeProgram());
    expect(commands.length).toBeGreaterThan(50);
    for (const words of commands) {
      const run = () => makeProgram({ json: true }).parseAsync(['node', 'gateway', '--json', ...words, '--nope']);
      expect([words, await parsed(run)]).toMatchObject([words, { code: 'wrong_usage', exit_code: 2 }]);
    }
  });

  it('refusals with --json hold all that the gateway said', async () => {
    const problems = ['a', 'b'].map((path) => ({ path, message: 'is required' }));
    const facts = { ...FACTS, code: 'invalid_body', status: 400, problems, retryAfterSec: 3 };
    const refused = new GatewayError('The gateway refused the call (invalid_body): a: is required', facts);
    const told = { code: 'invalid_body', exit_code: 1, status: 400, errors: problems };
    const all = { ...told, retry_after_sec: 3, request_id: 'r-1' };
    expect(await parsed(() => Promise.reject(refused))).toMatchObject(all);
    const unreachable = new NetworkError('The gateway at http://127.0.0.1:9 did not answer (ECONNREFUSED).', false);
    expect(await parsed(() => Promise.reject(unreachable))).toMatchObject({ code: 'unreachable', exit_code: 3 });
  });

  it('refusals with --json say of AWS’s SDK that it has no credentials, and where they come from', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    for (const name of ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']) vi.stubEnv(name, '/dev/null');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    const arn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:key';
    const find = () => findGateway({ baseUrl: 'https://gateway.example/v1', keySecret: arn, data: '.gateway' }, {});
    const message = expect.stringMatching(/AWS_PROFILE and AWS_REGION/);
    expect(await parsed(find)).toMatchObject({ code: 'aws_not_set_up', exit_code: 2, message });
  });
});

describe('problems', () => {
  it('prints the likeliest cause, the remedy and the request id of a refusal', () => {
    const dead = { status: 'reauthorization_required', cause: 'user_revoked', certain: false } as const;
    const told = { whatHappened: 'Probably: It was removed.', remedy: 'Connect again.', likelyCauses: [] };
    const connection = { ...dead, ...told, canBeCheckedAgain: false, since: undefined, evidence: undefined };
    const facts = { ...FACTS, code: 'reauthorization_required', status: 424, connection };
    const { lines, exitCode } = describeProblem(new GatewayError('Refused', facts));
    expect(exitCode).toBe(1);
    const rest = ['Probably: It was removed.', 'What to do: Connect again.', 'Request id: r-1'];
    expect(lines).toEqual(['Refused', ...rest.map((line) => `  ${line}`)]);
  });

  it.each([
    ['usage', new CommanderError(1, 'commander.unknownOption', 'x'), 2],
    ['help', new CommanderError(0, 'commander.helpDisplayed', 'x'), 0],
    ['a problem of its own', new CommandProblem('x', 4), 4],
    ['a wrong value', new TypeError('x'), 2],
    ['a gateway out of reach', new NetworkError('x', false), 3],
    ['a gateway that is silent', new TimeoutError(1, false), 3],
    ['anything else', new Error('x'), 1],
  ])('ends with its own code for %s', (_, error, code) => {
    expect(describeProblem(error).exitCode).toBe(code);
  });
});

describe('options', () => {
  it('reads lists and whole numbers, and refuses what is neither', () => {
    expect(commaList(' a, b,,c ')).toEqual(['a', 'b', 'c']);
    expect(wholeNumber('12')).toBe(12);
    for (const wrong of ['0', '1.5', 'x', '']) expect(() => wholeNumber(wrong)).toThrow(/whole number/);
    expect(given({ a: 1, b: undefined })).toEqual({ a: 1 });
  });

  it('reads times as they are shown, days, and how long ago or from now', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T16:45:00Z') });
    try {
      expect(pastTime(shortTime('2026-11-20T16:45:31.123Z'))).toBe('2026-11-20T16:45:00.000Z');
      expect(pastTime('2026-11-20T16:45:31+02:00')).toBe('2026-11-20T14:45:31.000Z');
      expect(pastTime('2026-11-20')).toBe('2026-11-20T00:00:00.000Z');
      expect([pastTime('2h'), futureTime('2h')]).toEqual(['2026-11-20T14:45:00.000Z', '2026-11-20T18:45:00.000Z']);
      for (const wrong of ['2026-11-20T16:45', '2026-13-01', 'yesterday', '2', '']) {
        expect(() => pastTime(wrong)).toThrow(/such as 2026-03-01T10:00Z/);
      }
      expect(durationSec('7d')).toBe(7 * 24 * 3600);
      expect(() => durationSec('7w')).toThrow('Write 30m, 12h or 7d.');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('events of a file', () => {
  const line = (id: string) =>
    `${JSON.stringify({ 'detail-type': 'ConnectionCreated', detail: { event_id: id, time: 't', integration_id: 'i', cause: '' } })}\n`;

  it('reads envelopes of the bus and nothing else', () => {
    const data = { event_id: 'e1', time: 't', integration_id: 'i' };
    const told = { integration: 'i', connection: '', cause: undefined, isGuess: false, data };
    expect(eventOf(line('e1'))).toEqual({ eventId: 'e1', time: 't', type: 'ConnectionCreated', ...told });
    for (const other of ['', '{', '[]', '{"detail":{}}', 'null']) expect(eventOf(other)).toBeUndefined();
  });

  it.each([
    [{ cause: 'user_revoked', remedy: 'Probably: …' }, 'probably user_revoked'],
    [{ cause: 'user_revoked', remedy: 'The user …' }, 'user_revoked'],
    [{ reason: 'imported', cause: 'imported', health: 'not_used_yet' }, 'imported'],
    [{ webhook_id: 'wh_1', reason: 'gone', cause: 'wh_1' }, 'wh_1, gone'],
    [{ actor: 'key:1', sequence: '3' }, ''],
  ])('events of a file say %j in addition to their type as %j', (data: Record<string, string>, words) => {
    expect(remarkOf(shownEvent('ConnectionCreated', data))).toBe(words);
  });

  it('continues with added lines, waits for the end of one, and begins again with a new file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'events.jsonl');
    writeFileSync(file, line('e1') + line('e2').slice(0, 20));
    const events = followFile(folder, true);
    expect((await events.next()).value).toMatchObject({ eventId: 'e1' });
    const second = events.next();
    appendFileSync(file, line('e2').slice(20));
    expect((await second).value).toMatchObject({ eventId: 'e2' });
    const third = events.next();
    writeFileSync(file, line('e3'));
    expect((await third).value).toMatchObject({ eventId: 'e3' });
    await events.return(undefined);
  });
});
