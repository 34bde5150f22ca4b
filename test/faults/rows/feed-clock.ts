import { expect } from 'vitest';
import { until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { describeConnection } from './events.ts';
import { answered, arrived } from './feeds.ts';

/** Processes of feeds, messages and deliveries whose clocks are off; for worlds with such clocks and with rules. */
export const feedClockRows: readonly FaultRow[] = [
  {
    id: 'F108',
    claim: 'with clocks that are off, changes arrive, channels are renewed and messages are delivered, each once',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      const feed = await world.watch(subject);
      const endpoint = await world.endpoint('/clock', ['ConnectionUpdated', 'FeedChanged']);
      await arrived(feed, await feed.change('one'));
      const [old] = await feed.channels();
      await answered(world, feed);
      await feed.letChannelAge();
      await world.gateway.gateway.tick('feeds');
      const [fresh, ...more] = await feed.channels();
      expect([fresh === old, more]).toEqual([false, []]);
      await arrived(feed, await feed.change('two'));
      const receiver = await world.receiver();
      receiver.answer('/clock', (response) => response.writeHead(500).end());
      await describeConnection(world, subject, 'refused at first');
      const failed = async () =>
        (await endpoint.deliveries()).some(({ state, tries }) => state === 'pending' && tries > 0);
      await until('a refusal is noted', failed);
      receiver.answer('/clock', (response) => response.writeHead(204).end());
    },
  },
];
