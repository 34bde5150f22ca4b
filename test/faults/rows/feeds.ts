import { expect } from 'vitest';
import { jsonRequest } from '../../support/gateway.ts';
import { quietNowMs } from '../../support/quiet-time.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import { readItem } from '../../support/table.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, nowSec, THROTTLED, until } from '../support/fault-world.ts';
import { pullsOf, sendMessage } from '../support/invariants/feeds.ts';
import type { FaultRow } from '../support/row.ts';
import type { WatchedFeed } from '../support/watched-feed.ts';
import { reconnect } from './grants.ts';

const DRIVE_PULL = { origin: 'api', method: 'GET', pathPrefix: '/drive/v3/changes' };
const DRIVE_WATCH = { origin: 'api', method: 'POST', pathPrefix: '/drive/v3/changes/watch' };
/** Taking the lease of a feed. */
const takesLease = ({ operation, body }: AwsCall) =>
  operation === 'UpdateItem' && body.includes('lastPullAtMs = :pulled');
/** Feeds of other Cloud projects; the project without quota has half as many. */
const MANY = 20;
const RATE_REFUSAL = JSON.stringify({
  error: {
    code: 403,
    message: 'Rate Limit Exceeded',
    errors: [{ domain: 'usageLimits', reason: 'rateLimitExceeded' }],
  },
});
/** An OAuth client of another Cloud project than the test credentials'. */
const OWN_CLIENT = {
  integrationId: 'drive-of-another-project',
  clientId: '987654321098-feeds.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-q7Zt2mWx9Lr4Vb8Nc1Ks5Jd3Hf6',
};
const STORM = 1_000;
const SENDERS = 20;

/** Writes of the feeds function, recognized by their expressions. */
const writes = {
  batch: ({ operation, body }: AwsCall) => operation === 'TransactWriteItems' && body.includes('BATCH#'),
  channel: ({ operation, body }: AwsCall) => operation === 'TransactWriteItems' && body.includes('"CHANNEL#'),
  log: ({ operation, body }: AwsCall) =>
    operation === 'TransactWriteItems' && body.includes('"LOG#') && !body.includes('"CHANNEL#'),
  logChannel: ({ operation, body }: AwsCall) =>
    operation === 'TransactWriteItems' && body.includes('"LOG#') && body.includes('"CHANNEL#'),
  entering: ({ operation, body }: AwsCall) => operation === 'TransactWriteItems' && body.includes('"enters"'),
  listed: ({ operation, body }: AwsCall) =>
    operation === 'TransactWriteItems' && body.includes('"inFolder"') && !body.includes('"enters"'),
  entered: ({ operation, body }: AwsCall) =>
    operation === 'TransactWriteItems' && body.includes('BATCH#') && body.includes('entered'),
  removal: ({ caller, operation, body }: AwsCall) =>
    caller === 'grants' && operation === 'TransactWriteItems' && body.includes('"FEED#'),
  release: ({ caller, operation, body }: AwsCall) =>
    caller === 'feeds' && operation === 'UpdateItem' && body.includes('REMOVE') && body.includes('leaseOwner'),
  clean: ({ operation, body }: AwsCall) => operation === 'UpdateItem' && body.includes('REMOVE dueShard, refreshAt'),
  passOn: ({ operation, body }: AwsCall) => operation === 'UpdateItem' && body.includes('passedOn = :value'),
  mark: ({ caller, operation }: AwsCall) => caller === 'inbox' && operation === 'UpdateItem',
  told: (type: string) => (call: AwsCall) =>
    call.caller === 'feeds' && call.operation === 'TransactWriteItems' && call.body.includes(`"${type}"`),
  wake: ({ caller, operation, body }: AwsCall) => caller === 'inbox' && operation === '' && body.includes('wake'),
} as const;

/** Processes, messages and answers that fail while a feed is pulled. */
export const feedRows: readonly FaultRow[] = [
  {
    id: 'F96',
    claim:
      'a process killed between a pull and its store, behind the store, or before the mark is clean skips no change and stores none twice',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const steps = [
        [writes.batch, 'before'],
        [writes.batch, 'after'],
        [writes.release, 'before'],
        [writes.clean, 'before'],
      ] as const;
      for (const [kind, side] of steps) {
        const writing = world.table.add(kind, { kind: 'hold', side });
        const id = await feed.change();
        await writing.met;
        await world.killBusy('feeds');
        writing.release('drop');
        // Nothing else is due: the mark alone brings the next process here.
        await feed.letLeaseEnd();
        await arrivedByTicks(world, feed, id);
      }
    },
  },
  {
    id: 'F198',
    claim:
      'a process that takes the lease with a row that another process has changed since writes nothing old back, even when its call to Google fails',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const releasing = world.table.add(writes.release, { kind: 'hold', side: 'before' });
      const first = await feed.change('first');
      await releasing.met;
      const taking = world.table.add((call) => call.caller === 'grants' && takesLease(call), {
        kind: 'hold',
        side: 'before',
      });
      const asked = feed.pull();
      await taking.met;
      releasing.release();
      await until('the lease is given back', async () => (await feed.row()).leaseOwner === undefined);
      await world.provider(DRIVE_PULL, { status: 500 }, { times: 1 });
      taking.release();
      await asked;
      await arrived(feed, first);
      // Whatever meets the failure, if nobody has yet.
      await feed.letTimePass();
      await sweepOfFeeds(world);
      await feed.letTimePass();
      await arrived(feed, await feed.change('second'));
    },
  },
  {
    id: 'F199',
    claim:
      'a feed whose batches cannot be stored is reported once after it has been due for eight minutes, and once more when it works again',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const storing = world.table.add(writes.batch, { kind: 'error', name: 'InternalServerError', status: 500 }, 1_000);
      const id = await feed.change();
      await until('a batch could not be stored', () => storing.count() > 0);
      for (let tick = 0; tick < 2; tick++) {
        await feed.letTimePass();
        await sweepOfFeeds(world);
      }
      expect(await feed.show()).toMatchObject({ state: 'failing', reason: 'overdue' });
      await until('the standstill is reported', () => eventsOf(world, feed).includes('FeedFailing'));
      world.table.clear();
      await feed.letTimePass();
      await sweepOfFeeds(world);
      await arrived(feed, id);
      expect((await feed.show()).state).toBe('watching');
      await until('the recovery is reported', () => eventsOf(world, feed).includes('FeedResumed'));
      expect(eventsOf(world, feed)).toEqual(['FeedFailing', 'FeedResumed']);
    },
  },
  {
    id: 'F200',
    claim: 'a feed whose row was set back behind its batches continues after the last batch, and no change is lost',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const { encryptedCursor, sequence } = await feed.row();
      for (const name of ['one', 'two']) await arrived(feed, await feed.change(name));
      await answered(world, feed);
      await feed.set({ encryptedCursor, sequence });
      await feed.letTimePass();
      await arrived(feed, await feed.change('three'));
      expect((await feed.show()).state).toBe('watching');
    },
  },
  {
    id: 'F97',
    claim:
      'a process killed behind watch, or between a new channel and the end of the old one, leaves a feed that is notified of changes, and one channel',
    runs: 'long',
    orphanChannels: 1,
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const [old = ''] = await feed.channels();
      for (const side of ['before', 'after'] as const) {
        await feed.letChannelAge();
        const storing = world.table.add(writes.channel, { kind: 'hold', side });
        const tick = sweepOfFeeds(world).catch(() => undefined);
        await storing.met;
        await world.killBusy('feeds');
        await tick;
        storing.release('drop');
        // The old channel still says what happens: a message of it waits for the lease alone.
        const told = await messagesOf(feed);
        const id = await feed.change();
        await until('a message of the open channel', async () => (await messagesOf(feed)) > told);
        await feed.letTimePass();
        await sweepOfFeeds(world);
        await arrived(feed, id);
      }
      const [fresh, ...more] = await feed.channels();
      expect([fresh === old, more]).toEqual([false, []]);
      const open = await openChannels(world);
      expect([open.includes(old), open.includes(fresh ?? '')]).toEqual([false, true]);
    },
  },
  {
    id: 'F131',
    claim:
      'a process killed while a feed of drives joins a shared drive, before or behind the row of its log or before its channel is stored, leaves a feed that joins it and has every change',
    runs: 'long',
    orphanChannels: 1,
    async run(world) {
      const account = 'editor@workspace.example';
      const subject = await world.connect({ account, expired: false });
      const feed = await world.watch(subject, 'drives');
      const steps = [
        [writes.log, 'before'],
        [writes.log, 'after'],
        [writes.logChannel, 'before'],
        [writes.logChannel, 'after'],
      ] as const;
      for (const [number, [kind, side]] of steps.entries()) {
        const writing = world.table.add(kind, { kind: 'hold', side });
        const drive = await world.owner(account).makeDrive(`of step ${number}`);
        await writing.met;
        const unheard = await world.owner(account).make('drives', 'made before anybody watches', drive);
        await world.killBusy('feeds');
        writing.release('drop');
        // Nothing else is due: what the user's log says of the drive is read again, and is all that leads to it.
        await feed.letLeaseEnd();
        await sweepOfFeeds(world);
        expect(await feed.drives()).toContain(drive);
        await feed.read();
        expect(feed.copy.has(unheard)).toBe(true);
        await arrived(feed, await world.owner(account).make('drives', 'heard of', drive));
      }
    },
  },
  {
    id: 'F132',
    claim:
      'a process killed while a folder enters the folder of a feed, at any write of its row, contents or batch, leaves a feed that reports the folder and every change below it',
    runs: 'long',
    async run(world) {
      const account = 'editor@workspace.example';
      const subject = await world.connect({ account, expired: false });
      const owner = world.owner(account);
      const top = await owner.makeFolder('of a feed', 'root');
      const resource = `folder:${top}` as const;
      const feed = await world.watch(subject, resource);
      const steps = [
        [writes.entering, 'before'],
        [writes.entering, 'after'],
        [writes.listed, 'before'],
        [writes.listed, 'after'],
        [writes.entered, 'before'],
        [writes.entered, 'after'],
      ] as const;
      for (const [number, [kind, side]] of steps.entries()) {
        const outside = await owner.makeFolder(`of step ${number}`, 'root');
        const inside = await owner.makeFolder('below it', outside);
        const file = await owner.make(resource, 'deep down', inside);
        // The feed reads what was made outside the folder, but reports none of it.
        await feed.letTimePass();
        await sweepOfFeeds(world);
        const writing = world.table.add(kind, { kind: 'hold', side });
        await owner.move(outside, 'root', top);
        await writing.met;
        await world.killBusy('feeds');
        writing.release('drop');
        await feed.letLeaseEnd();
        await sweepOfFeeds(world);
        await feed.read();
        expect([outside, inside, file].map((id) => feed.copy.has(id))).toEqual([true, true, true]);
        await arrived(feed, await owner.make(resource, 'made later', inside));
      }
    },
  },
  {
    id: 'F197',
    claim:
      'a process killed while it passes a message on to another feed of the same log, before or behind the mark, or with its own mark clean again, costs neither feed a change',
    runs: 'long',
    async run(world) {
      const account = 'editor@workspace.example';
      const subject = await world.connect({ account, expired: false });
      const owner = world.owner(account);
      const [first, second] = [await owner.makeFolder('one', 'root'), await owner.makeFolder('another', 'root')];
      const resources = [`folder:${first}`, `folder:${second}`] as const;
      const told = await world.watch(subject, resources[0]);
      const other = await world.watch(subject, resources[1]);
      expect([(await told.channels()).length, (await other.channels()).length]).toEqual([1, 0]);
      const steps = [
        [writes.passOn, 'before'],
        [writes.passOn, 'after'],
        [writes.clean, 'before'],
        [writes.clean, 'after'],
      ] as const;
      for (const [number, [kind, side]] of steps.entries()) {
        for (const feed of [told, other]) await feed.letTimePass();
        await sweepOfFeeds(world);
        const writing = world.table.add(kind, { kind: 'hold', side });
        const file = await owner.make(resources[1], `of step ${number}`, second);
        await writing.met;
        await world.killBusy('feeds');
        writing.release('drop');
        for (const feed of [told, other]) await feed.letLeaseEnd();
        await sweepOfFeeds(world);
        await arrived(other, file);
        await arrived(told, await owner.make(resources[0], 'made later', first));
      }
    },
  },
  {
    id: 'F98',
    claim:
      'messages that are lost, doubled, out of order, an hour late or of a stopped channel change nothing but the time',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      await messages(world, { drop: 1 });
      const lost = await feed.change('nobody is told of this');
      await messages(world, { double: 3 });
      await arrived(feed, await feed.change('told twice'));
      await arrived(feed, lost);
      await messages(world, { hold: true });
      const held = [await feed.change('one'), await feed.change('two'), await feed.change('three')];
      // An hour and more: the safety pull has already read what the messages announce.
      await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      for (const id of held) await arrived(feed, id);
      const before = (await feed.show()).last_sequence;
      const told = await messagesOf(feed);
      await messages(world, { release: 'reversed' });
      await until('the late messages came', async () => (await messagesOf(feed)) >= told + held.length);
      await answered(world, feed);
      expect((await feed.show()).last_sequence, 'a late message brings no batch').toBe(before);
      await messages(world, { hold: false, late: 2 });
      await feed.letChannelAge();
      await world.gateway.gateway.tick('feeds');
      await arrived(feed, await feed.change('told on the stopped channel, too'));
    },
  },
  {
    id: 'F99',
    claim: `a storm of ${STORM} messages, and callers that ask for pulls meanwhile, lead to one pull at a time and one in two seconds`,
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const [channelId = ''] = await feed.channels();
      const token = world.ledger.channels.find(({ id }) => id === channelId)?.token ?? '';
      await world.provider(DRIVE_PULL, { delayMs: 2_000 }, { times: 1 });
      await world.provider(DRIVE_PULL, { delayMs: 300 });
      const from = world.ledger.requests.length;
      const startedMs = Date.now();
      const ids = [await feed.change('first')];
      await until('a pull is under way', () => pullsOf(world, feed, from).length > 0);
      // Anyone who asks now must not pull at the same time.
      await feed.pull();
      ids.push(await feed.change('second'));
      const statuses = new Set<number>();
      const senders = Array.from({ length: SENDERS }, async (_, sender) => {
        for (let i = 0; i < STORM / SENDERS; i++) {
          statuses.add((await sendMessage(world, channelId, token)).status);
          if (sender === 0 && i % 20 === 0) ids.push(await feed.change(`during ${i}`));
        }
      });
      const askers = [feed.pull(), feed.pull(), world.gateway.gateway.tick('feeds'), feed.pull()];
      await Promise.all([...senders, ...askers]);
      await answered(world, feed);
      for (const id of ids) await arrived(feed, id);
      expect(statuses).toEqual(new Set([204]));
      const asked = pullsOf(world, feed, from).length;
      // One that was under way when the storm began, one at its end, and one for each caller that asked.
      expect(asked).toBeLessThanOrEqual((Date.now() - startedMs) / 2_000 + 3 + askers.length);
    },
  },
  {
    id: 'F100',
    claim:
      'a place in the history that is refused gives one gap; refused again within the hour the feed says that it fails, once',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ integrationId: 'google-calendar', expired: false });
      const feed = await world.watch(subject);
      await control(world.gateway, 'POST', '/cursors/expire');
      // Nobody names this one any more.
      const id = await feed.change('made while the place was forgotten');
      await gaps(feed, 1);
      await feed.read();
      expect(feed.copy.has(id)).toBe(true);
      await feed.set({ lastPullAtMs: 0 });
      await control(world.gateway, 'POST', '/cursors/expire');
      await feed.pull();
      expect(await feed.show()).toMatchObject({ state: 'failing', reason: 'cursor_expired_again' });
      await feed.pull();
      await gaps(feed, 1);
      expect(eventsOf(world, feed).filter((type) => type === 'FeedFailing')).toHaveLength(1);
      await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      await gaps(feed, 2);
    },
  },
  {
    id: 'F101',
    claim: 'where push cannot be had the feed polls and says why, and is back at push when it can',
    runs: 'long',
    async run(world) {
      const unsupported = { code: 400, reason: 'pushNotSupportedForRequestedResource', message: 'Not supported' };
      for (const reason of ['push_not_supported', 'address_not_authorized']) {
        const subject = await world.connect({ expired: false });
        if (reason === 'push_not_supported') await world.provider(DRIVE_WATCH, { apiError: unsupported });
        else await messages(world, { unauthorized: true });
        const feed = await world.watch(subject);
        expect(await feed.show()).toMatchObject({ state: 'polling', reason });
        const id = await feed.change('nobody is told');
        await feed.letTimePass();
        await world.gateway.gateway.tick('feeds');
        await arrived(feed, id);
        expect(await feed.show()).toMatchObject({ state: 'polling', reason });
        await world.calm();
        await feed.set({ watchAtEpochSec: 1 });
        await feed.letTimePass();
        await world.gateway.gateway.tick('feeds');
        expect(await feed.show()).toMatchObject({ state: 'watching', reason: null });
        await arrived(feed, await feed.change('told at once'));
      }
    },
  },
  {
    id: 'F102',
    claim: `a Cloud project whose quota is used up is left alone, its callers too; ${MANY} feeds of another one notice nothing`,
    runs: 'matrix',
    async run(world) {
      const account = 'second.user@example.com';
      await makeOwnClient(world);
      const watchMany = async (count: number, integrationId: string) => {
        const subjects = await world.connectMany(count, { account, integrationId, expired: false });
        // All are alike: two stand for them.
        for (const subject of subjects.slice(2)) world.subjects.delete(subject);
        return Promise.all(subjects.map((subject) => world.watch(subject, 'drive')));
      };
      const others = await watchMany(MANY, OWN_CLIENT.integrationId);
      const blocked = await watchMany(MANY / 2, 'google-drive');
      const [first] = blocked;
      const { clientId } = Object(await first?.row());
      const from = world.ledger.requests.length;
      const refusal = { status: 403, body: RATE_REFUSAL, headers: { 'retry-after': '300' } };
      await world.provider({ ...DRIVE_PULL, clientId }, refusal);
      // One account: every feed reports the same change.
      const id = await world.owner(account).make('drive', 'reported to every feed');
      for (const feed of others) await arrived(feed, id);
      await until('the project is left alone', async () => {
        const { blockedUntil } = await quotaOf(world, clientId);
        return typeof blockedUntil === 'number' && blockedUntil > nowSec() + 200;
      });
      const asked = blocked.flatMap((feed) => pullsOf(world, feed, from)).length;
      // Those that were in flight together with the first.
      expect(asked).toBeLessThanOrEqual(4);
      expect((await first?.subject.call())?.status, 'a caller of the same project').toBe(200);
      const after = world.ledger.requests.length;
      await world.gateway.gateway.tick('feeds');
      expect(blocked.flatMap((feed) => pullsOf(world, feed, after))).toEqual([]);
      await world.calm();
      // A process remembers for minutes that the project was refused; one that starts asks the table.
      await world.restart('feeds');
    },
  },
  {
    id: 'F103',
    claim:
      'a dead grant pauses its feed, which sends no requests; the same account continues at its position, another one begins with a gap',
    runs: 'matrix',
    // Of the account before: only its own token could have stopped it.
    orphanChannels: 1,
    async run(world) {
      const account = 'editor@workspace.example';
      const subject = await world.connect({ account, expired: false });
      const feed = await world.watch(subject);
      await arrived(feed, await feed.change('before'));
      await control(world.gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
      await feed.set({ lastPullAtMs: 0 });
      await feed.pull();
      expect(await feed.show()).toMatchObject({ state: 'paused', reason: 'reauthorization_required' });
      const asked = pullsOf(world, feed).length;
      await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      expect(pullsOf(world, feed)).toHaveLength(asked);
      await reconnect(world, subject, account);
      const missed = await feed.change('made while it was paused');
      await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      await arrived(feed, missed);
      expect((await feed.batches()).map(({ kind }) => kind)).not.toContain('gap');
      await until('the bus has both', () =>
        ['FeedPaused', 'FeedResumed'].every((type) => eventsOf(world, feed).includes(type)),
      );
      await reconnect(world, subject, 'second.user@example.com', { allow_account_change: true });
      feed.owner = world.owner('second.user@example.com');
      await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      await gaps(feed, 1);
      await arrived(feed, await feed.change('in the Drive of the other account'));
    },
  },
  {
    id: 'F128',
    claim:
      'a process killed between the death of a connection and the pause of its feed, or between return and resume, leaves both to the next sweep; each is reported once, and no change is lost',
    runs: 'matrix',
    async run(world) {
      const account = 'editor@workspace.example';
      const subject = await world.connect({ account, expired: false });
      const feed = await world.watch(subject);
      const dies = async (type: string, side: 'before' | 'after', happens: () => Promise<unknown>) => {
        const telling = world.table.add(writes.told(type), { kind: 'hold', side });
        const happening = happens();
        await telling.met;
        await world.killBusy('feeds');
        telling.release('drop');
        await happening;
        // Nothing else is due: the mark alone brings the next process here.
        await feed.letLeaseEnd();
        await sweepOfFeeds(world);
      };
      for (const side of ['before', 'after'] as const) {
        await control(world.gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
        await dies('FeedPaused', side, () => subject.call());
        expect(await feed.show()).toMatchObject({ state: 'paused', reason: 'reauthorization_required' });
        const missed = await feed.change('made while it was paused');
        await dies('FeedResumed', side, () => reconnect(world, subject, account));
        await arrived(feed, missed);
        expect((await feed.show()).state).toBe('watching');
      }
      expect((await feed.batches()).map(({ kind }) => kind)).not.toContain('gap');
      const all = ['FeedPaused', 'FeedResumed', 'FeedPaused', 'FeedResumed'];
      await until('the bus has all', () => eventsOf(world, feed).length >= all.length);
      expect(eventsOf(world, feed)).toEqual(all);
    },
  },
  {
    id: 'F129',
    claim:
      'a feed follows the death and the return of its connection without a sweep, and a message or a pull meanwhile changes nothing',
    runs: 'matrix',
    async run(world) {
      const account = 'editor@workspace.example';
      const subject = await world.connect({ account, expired: false });
      const feed = await world.watch(subject);
      await control(world.gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
      const [died] = await Promise.all([subject.call(), feed.pull()]);
      expect(died.status).toBe(424);
      await until('the feed is paused', async () => (await feed.show()).state === 'paused');
      const missed = await feed.change('made while it was paused');
      await reconnect(world, subject, account);
      await arrived(feed, missed);
      expect((await feed.show()).state).toBe('watching');
      await until('the bus has both', () => eventsOf(world, feed).length >= 2);
      expect(eventsOf(world, feed)).toEqual(['FeedPaused', 'FeedResumed']);
    },
  },
  {
    id: 'F104',
    claim:
      'a Drive that hangs delays no token: what is due is refreshed in the same minute, and the feeds catch up afterwards',
    runs: 'matrix',
    async run(world) {
      const subjects = await world.connectMany(5, { expired: false });
      const feeds = await Promise.all(subjects.map((subject) => world.watch(subject)));
      await messages(world, { hold: true });
      await world.provider({ origin: 'api', pathPrefix: '/drive/v3/changes' }, { hang: true });
      const ids = await Promise.all(feeds.map((feed) => feed.change('whose pull hangs')));
      for (const feed of feeds) await feed.letTimePass();
      const from = world.ledger.requests.length;
      const feedTick = world.gateway.gateway.tick('feeds');
      const pulls = () => feeds.map((feed) => pullsOf(world, feed, from).length);
      await until('every pull hangs', () => pulls().every((count) => count > 0));
      const hanging = pulls();
      // Their leases have ended, too: another function that pulled feeds would hang from now on.
      for (const feed of feeds) await feed.letTimePass();
      const startedMs = quietNowMs();
      for (const subject of subjects) await subject.set({ refreshAt: nowSec() - 5 });
      expect(await sweep(world.gateway, ...subjects)).toMatchObject({ refreshed: subjects.length, failed: 0 });
      expect(quietNowMs() - startedMs).toBeLessThan(60_000);
      expect(pulls(), 'refreshing waits for no further pull').toEqual(hanging);
      const hasGivenUp = async (feed: WatchedFeed) => Number((await feed.row()).failureCount) > 0;
      await until('each pull has ended', async () => (await Promise.all(feeds.map(hasGivenUp))).every(Boolean));
      expect(await feedTick).toMatchObject({ turns: { put_off: feeds.length }, failed: 0 });
      await world.calm();
      for (const feed of feeds) await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      for (const [i, feed] of feeds.entries()) await arrived(feed, ids[i] ?? '');
    },
  },
  {
    id: 'F105',
    claim:
      'a table that refuses writes: messages get 503 and are sent again, no position moves without its batch, and two ticks repair it',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      await messages(world, { repeatAfterMs: 200 });
      const marking = world.table.add(writes.mark, THROTTLED, 1_000);
      const [channelId = ''] = await feed.channels();
      const token = world.ledger.channels.find(({ id }) => id === channelId)?.token ?? '';
      const refused = await sendMessage(world, channelId, token);
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      const refusals = marking.count();
      const told = await feed.change('told again');
      await until('its message was refused, too', () => marking.count() > refusals);
      world.table.clear();
      await arrived(feed, told);
      await answered(world, feed);
      const before = await feed.row();
      const storing = world.table.add(writes.batch, THROTTLED, 1_000);
      const id = await feed.change('cannot be stored');
      await storing.met;
      await until('the turn has given up', async () => (await feed.row()).leaseOwner === undefined);
      expect((await feed.row()).sequence).toBe(before.sequence);
      world.table.clear();
      await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      await arrived(feed, id);
    },
  },
  {
    id: 'F105-sweep',
    claim: 'a feed that a sweep could not read or store is worked on again within two ticks of the table’s recovery',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      // Feeds of earlier rows may watch the same Drive: a message to each of them is lost.
      await messages(world, { drop: 20 });
      const id = await feed.change('found by the sweep alone');
      await messages(world, { drop: 0 });
      await feed.letTimePass();
      world.table.add(
        ({ caller, operation, body }) => caller === 'feeds' && operation === 'GetItem' && body.includes('FEED'),
        THROTTLED,
        1_000,
      );
      await world.gateway.gateway.tick('feeds');
      world.table.clear();
      expect(Number((await feed.row()).refreshAt)).toBeLessThanOrEqual(nowSec() + 60);
      await world.gateway.gateway.tick('feeds');
      await arrived(feed, id);
    },
  },
  {
    id: 'F106',
    claim: 'without the key service a feed asks nothing, moves nothing and says nothing false; it heals by itself',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const { kms } = world.gateway.gateway.switches;
      await world.restart('feeds');
      Object.assign(kms, { disabled: true });
      const { encryptedCursor, sequence } = await feed.row();
      const asked = pullsOf(world, feed).length;
      const id = await feed.change('waits for its key');
      await until('the turn is over', async () => Number((await feed.row()).notBeforeEpochSec) > nowSec());
      expect(pullsOf(world, feed)).toHaveLength(asked);
      expect(await feed.row()).toMatchObject({ feedState: 'watching', failureCount: 1, encryptedCursor, sequence });
      await world.calm();
      await feed.letTimePass();
      await world.gateway.gateway.tick('feeds');
      await arrived(feed, id);
    },
  },
  {
    id: 'F107',
    claim:
      'deleting a feed while it is pulled, or its connection, stops each channel once and leaves nothing that is due',
    runs: 'long',
    async run(world) {
      const [first, second] = [await world.connect({ expired: false }), await world.connect({ expired: false })];
      const [pulled, other] = [await world.watch(first), await world.watch(second)];
      await world.provider(DRIVE_PULL, { delayMs: 1_500 });
      await forgetRequests(world.gateway);
      const from = world.ledger.requests.length;
      await pulled.change('being pulled');
      await until('a pull is under way', () => pullsOf(world, pulled, from).length > 0);
      // As if the next turn had begun between the stop and the removal: the feed is read again, its channel is stopped already.
      const more = { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] };
      world.table.add(writes.removal, { kind: 'error', name: 'TransactionCanceledException', more });
      expect((await pulled.delete()).status).toBe(200);
      expect((await world.gateway.call(second.path, { method: 'DELETE' })).status).toBe(200);
      other.isDeleted = true;
      const stops = (await requests(world.gateway, 'api')).filter(({ target }) => target.endsWith('/channels/stop'));
      expect([stops.length, new Set(stops.map(({ bodySha256 }) => bodySha256)).size]).toEqual([2, 2]);
      await until('the pull is over', () =>
        world.gateway.gateway
          .children()
          .every(({ functionName, state }) => functionName !== 'feeds' || state !== 'busy'),
      );
      for (const feed of [pulled, other]) {
        expect(await feed.row()).toEqual({});
        expect(await feed.isMarked()).toBe(false);
      }
    },
  },
  {
    id: 'F113',
    claim: 'a wake-up that is lost costs one tick, never the pull',
    runs: 'long',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const waking = world.aws.add(writes.wake, { kind: 'error', name: 'ServiceException', status: 500 }, 10);
      const id = await feed.change('nobody is woken');
      await waking.met;
      await until('the mark is stored', () => feed.isMarked());
      expect((await feed.batches()).flatMap((batch) => batch.changes.map((change) => change.id))).not.toContain(id);
      world.aws.clear();
      await world.gateway.gateway.tick('feeds');
      await arrived(feed, id);
    },
  },
];

async function hasChange(feed: WatchedFeed, id: string): Promise<boolean> {
  return (await feed.batches()).some((batch) => batch.changes.some((change) => change.id === id));
}

/** Waits until a batch names an id, and the turn that stored it is over. */
export async function arrived(feed: WatchedFeed, id: string): Promise<void> {
  await until(`the change of ${id}`, () => hasChange(feed, id), undefined, 50);
  await until('the turn is over', async () => (await feed.row()).leaseOwner === undefined);
}

/** Waits as {@link arrived} does, with a tick each time: what one run leaves waits for the run of the next minute. */
async function arrivedByTicks(world: FaultWorld, feed: WatchedFeed, id: string): Promise<void> {
  await until(`the change of ${id}`, async () => {
    await world.gateway.gateway.tick('feeds');
    return hasChange(feed, id);
  });
  await arrived(feed, id);
}

/** Waits until no message of a feed waits for a pull. Messages that came when a turn had no time left wait for the next minute's tick. */
export async function answered(world: FaultWorld, feed: WatchedFeed): Promise<void> {
  await until('every message is answered', async () => {
    await world.gateway.gateway.tick('feeds');
    return !(await feed.isMarked());
  });
}

async function gaps(feed: WatchedFeed, count: number): Promise<void> {
  const found = async () => (await feed.batches()).filter(({ kind }) => kind === 'gap').length;
  await until(`${count} gaps`, async () => (await found()) >= count, undefined, 50);
  expect(await found()).toBe(count);
}

/** A sweep of feeds that is let in: a run that died keeps its slice until its lease is over. */
async function sweepOfFeeds(world: FaultWorld): Promise<void> {
  const isLetIn = async () => {
    const { turns, failed, finished } = Object(await world.gateway.gateway.tick('feeds'));
    return finished === true || failed > 0 || Object.keys(turns).length > 0;
  };
  await until('the slice of feeds is free', isLetIn, undefined, 50);
}

function messages(world: FaultWorld, rules: Record<string, unknown>): Promise<unknown> {
  return control(world.gateway, 'POST', '/channels', rules);
}

async function messagesOf(feed: WatchedFeed): Promise<number> {
  return Number((await feed.mark()).messages ?? 0);
}

async function openChannels(world: FaultWorld): Promise<string[]> {
  const shown = Object(await control(world.gateway, 'GET', '/channels'));
  return shown.channels.map(({ id }: { id: string }) => id);
}

/** Types of the events of a feed without its creation and its batches, in order. */
function eventsOf(world: FaultWorld, feed: WatchedFeed): string[] {
  return world.gateway.gateway.events.flatMap(({ detail, 'detail-type': type }) => {
    if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return [];
    return detail.feed_id === feed.id && type !== 'FeedChanged' && type !== 'FeedCreated' ? [type] : [];
  });
}

async function makeOwnClient(world: FaultWorld): Promise<void> {
  const { integrationId, clientId, clientSecret } = OWN_CLIENT;
  const redirectUris = [`${world.gateway.gateway.gatewayUrl}/oauth/callback`];
  await control(world.gateway, 'POST', '/clients', { clientId, clientSecret, redirectUris });
  const credentials = { type: 'OAUTH2', client_id: clientId, client_secret: clientSecret };
  const integration = { unique_key: integrationId, provider: 'google-drive', credentials };
  const answer = await world.gateway.call('/integrations', jsonRequest('POST', integration));
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

/** What is on record of a Cloud project's quota. */
async function quotaOf(world: FaultWorld, clientId: string): Promise<Record<string, unknown>> {
  const project = /^\d+/.exec(clientId)?.[0] ?? clientId;
  return (await readItem(world.gateway, { pk: `FEEDQUOTA#${project}`, sk: 'QUOTA#google-drive' })) ?? {};
}
