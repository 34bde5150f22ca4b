/** Which files of `lambdas/` a call passes through: how far a reader walks who follows it. */
import { DUE_SHARDS } from '../../lambdas/gateway/core/contract.ts';
import { dueShardOf } from '../../lambdas/gateway/core/identifiers.ts';
import { connectAccount } from '../support/connect.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { sweep } from '../support/sweep.ts';
import { changeConnection } from '../support/table.ts';
import { type FunctionCoverage, openCoverage } from './function-coverage.ts';

/** One kind of call, by the function that answers it. */
interface Walk {
  readonly name: string;
  readonly functionName: string;
  /** The most files it may pass through. Lower it together with the walk. */
  readonly atMost: number;
  /** Connects what every call of the walk works on, and answers with its id. */
  prepare?(test: TestGateway): Promise<string>;
  /**
   * Makes the call once, and fails unless it went well.
   *
   * @param prepared what `prepare` answered; empty where there is none
   */
  play(test: TestGateway, prepared: string): Promise<void>;
}

/** What was measured of a walk. */
export interface MeasuredWalk {
  readonly name: string;
  readonly atMost: number;
  /** In the order in which they are first reached. */
  readonly files: readonly WalkedFile[];
  /** The order in which the files were reached, for each time that it was recorded. */
  readonly orders: readonly (readonly string[])[];
  /** Files of the lean AWS client as well. */
  readonly clientFiles: number;
}

/** A file with the names of its functions that ran; those without a name are left out. */
export interface WalkedFile {
  readonly file: string;
  readonly functions: readonly string[];
}

const DRIVE = 'google-drive';

/**
 * Stands in for the AWS SDK, whose files do not count either: a reader stops at the command that is sent, and which of the two a
 * bundle has is a setting of the build. The credentials of the environment stand in for a package of the SDK's in both.
 */
const AWS_CLIENT = [
  'lambdas/gateway/platform/lean/',
  ...['environment-credentials.ts', 'aws-signature.ts'].map((name) => `lambdas/gateway/platform/${name}`),
];

const WALKS: readonly Walk[] = [
  {
    name: 'a proxied call',
    functionName: 'proxy',
    atMost: 26,
    async play(test) {
      const answer = await test.proxy(DRIVE, '/drive/v3/files?pageSize=1');
      await answer.text();
      expectStatus('The proxied call', answer.status, 200);
    },
  },
  {
    name: 'an OAuth callback',
    functionName: 'oauth-callback',
    atMost: 45,
    async play(test) {
      await connectAccount(test, DRIVE, { account: 'second.user@example.com' });
    },
  },
  {
    name: 'a scheduled refresh',
    functionName: 'refresh',
    atMost: 38,
    prepare: connectionOutsideFirstSlice,
    async play(test, connectionId) {
      const connection = { integrationId: DRIVE, connectionId };
      await changeConnection(test, connection.integrationId, connection.connectionId, { refreshAt: 1 });
      const { refreshed } = await sweep(test, connection);
      if (refreshed !== 1) throw new Error(`The schedule refreshed ${refreshed} connections instead of one.`);
    },
  },
  {
    name: 'POST /integrations',
    functionName: 'grants',
    atMost: 25,
    async play(test) {
      const { status } = await test.json('POST', '/integrations', {
        provider: DRIVE,
        unique_key: `walk-${crypto.randomUUID()}`,
        credentials: { type: 'OAUTH2', client_id: '1-walk.apps.googleusercontent.com', client_secret: 'GOCSPX-walk' },
      });
      expectStatus('POST /integrations', status, 200);
    },
  },
];

/** How often a call is measured; the shortest walk counts, since a function does now and then what the clock asks of it in addition to a call. */
const TIMES = 3;

/**
 * Makes each call in a gateway on loopback and counts the files of `lambdas/` of which a function ran. Each is made once before
 * it is measured: what a new process does once belongs to its start. Evaluating a module does not count.
 */
export async function measureWalks(): Promise<MeasuredWalk[]> {
  await using test = await startTestGateway({ inspect: WALKS.map(({ functionName }) => functionName) });
  const measured: MeasuredWalk[] = [];
  for (const { name, functionName, atMost, prepare, play: playWith } of WALKS) {
    // One for all times: the first refresh of a connection does more than those that follow.
    const prepared = (await prepare?.(test)) ?? '';
    const play = () => playWith(test, prepared);
    await play();
    const port = test.gateway.inspectors.find((one) => one.functionName === functionName)?.port;
    if (port === undefined) throw new Error(`The function ${functionName} has no inspector.`);
    const coverage = await openCoverage(port);
    try {
      const times = [];
      for (let time = 0; time < TIMES; time++) {
        times.push(await filesOf(test, functionName, coverage, play));
      }
      await coverage.followOrder();
      const recorded: (readonly string[])[] = [];
      for (let time = 0; time < TIMES; time++) {
        await play();
        await idle(test, functionName);
        recorded.push(await coverage.takeOrder());
      }
      const [shortest = { files: [], clientFiles: 0 }] = times.sort((a, b) => a.files.length - b.files.length);
      // One time may do more than another: what the clock asks for is no part of the walk.
      const orders = recorded.map((order) => inOrder(shortest.files, order));
      const [files = []] = orders;
      measured.push({ name, atMost, ...shortest, files, orders: orders.map((order) => order.map(({ file }) => file)) });
    } finally {
      coverage.close();
    }
  }
  return measured;
}

/** Files by when they were reached. One whose functions offer no place to stop comes last. */
function inOrder(files: readonly WalkedFile[], order: readonly string[]): WalkedFile[] {
  const placeOf = ({ file }: WalkedFile) => (order.includes(file) ? order.indexOf(file) : order.length);
  return files.toSorted((a, b) => placeOf(a) - placeOf(b));
}

async function filesOf(
  test: TestGateway,
  functionName: string,
  coverage: FunctionCoverage,
  play: () => Promise<void>,
): Promise<Pick<MeasuredWalk, 'files' | 'clientFiles'>> {
  await idle(test, functionName);
  await coverage.take();
  await play();
  // What it does once its answer is on the way is part of the call.
  await idle(test, functionName);
  const ran = [...(await coverage.take())].filter(([file]) => file.startsWith('lambdas/'));
  const files = ran
    .filter(([file]) => !AWS_CLIENT.some((path) => file.startsWith(path)))
    .map(([file, names]) => ({ file, functions: [...names].filter((name) => name !== '') }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  return { files, clientFiles: ran.length - files.length };
}

/** The first slice of the schedule also does what is done once a tick, and an id decides by its digest which slice has it. */
async function connectionOutsideFirstSlice(test: TestGateway): Promise<string> {
  let connectionId = test.connectionId(DRIVE);
  while (dueShardOf({ accountId: 'default', integrationId: DRIVE, connectionId }, DUE_SHARDS) === 0) {
    connectionId = await connectAccount(test, DRIVE);
  }
  return connectionId;
}

/** Waits until no process of a function is at work. */
async function idle(test: TestGateway, functionName: string): Promise<void> {
  const isBusy = () => test.gateway.children().some((one) => one.functionName === functionName && one.state !== 'idle');
  while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function expectStatus(what: string, status: number, wanted: number): void {
  if (status !== wanted) throw new Error(`${what} answered ${status}.`);
}
