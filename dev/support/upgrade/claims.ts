/** What must hold of data that another version left: true of every later version, and of the one before after going back. */
import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { walkConsent } from '../../../packages/simulator/consent.ts';
import type { AnyGateway } from './any-gateway.ts';
import { addTo, arrival, consent, DEAD_ACCOUNT, type LivedData, openEndpoint } from './lived-data.ts';

/** A claim; it throws where it does not hold. */
export interface Claim {
  readonly says: string;
  /** Whether there is something in the data that it is about. */
  readonly isAbout: (lived: LivedData) => boolean;
  readonly check: (gateway: AnyGateway, lived: LivedData) => Promise<void>;
}

const always = () => true;
const pathOf = ({ integration, connection }: { integration: string; connection: string }) =>
  `/connections/${connection}?provider_config_key=${integration}`;

/** How long counters of a day are read, whatever a version keeps them for. */
const USAGE_IS_THERE_DAYS = 80;
const DAY_MS = 86_400_000;
/** More than a small account needs for whatever the schedule makes up for. */
const TURNS_OF_THE_SCHEDULE = 10;

export const CLAIMS: readonly Claim[] = [
  {
    says: 'old keys work, each with its right',
    isAbout: always,
    async check({ ask, proxy }, { firstKey, keys, alive: [first] }) {
      for (const key of [firstKey, keys.full, keys.read]) {
        assert.equal((await ask('GET', '/connections', undefined, key)).status, 200);
      }
      assert.equal((await ask('GET', '/connections', undefined, keys.proxy)).status, 403);
      assert.ok(first);
      assert.equal((await proxy(first, first.path, undefined, keys.proxy)).status, 200);
      assert.equal((await ask('POST', '/account/keys', { name: 'no', right: 'read' }, keys.read)).status, 403);
    },
  },
  {
    says: 'connections call, of both providers, with tokens that had ended',
    isAbout: always,
    async check({ proxy, control }, { alive }) {
      await control('POST', '/tokens/expire', { kind: 'access' });
      for (const one of alive) {
        // Expiring tokens twice in half a minute shows: only one 401 in that time has a connection refreshed.
        await arrival(`An answer to ${one.integration} of ${one.endUser}`, async () => {
          const { status, body } = await proxy(one, one.path);
          assert.ok(status === 200 || status === 401, JSON.stringify(body));
          return status === 200 ? body : undefined;
        });
      }
    },
  },
  {
    says: 'a connection that died says why, to callers too, and one that was deleted is not there',
    isAbout: always,
    async check({ ask, proxy }, { dead, deleted }) {
      for (const one of dead) {
        assert.equal((await proxy(one, one.path)).status, 424);
        assert.match(JSON.stringify((await ask('GET', pathOf(one))).body), new RegExp(`"${one.cause}"`));
      }
      for (const one of deleted) assert.equal((await ask('GET', pathOf(one))).status, 404);
    },
  },
  {
    says: 'every connection is listed, by its end user, too',
    isAbout: always,
    async check({ ask, gateway }, { alive, dead }) {
      const listed = async (query: string) =>
        (await ask('GET', `/connections?${query}`)).body.connections.map(
          (one: { connection_id: string }) => one.connection_id,
        );
      await gateway.tick('refresh');
      const all = await listed('limit=100');
      for (const { connection } of [...alive, ...dead])
        assert.ok(all.includes(connection), `${connection} is not listed`);
      for (const { connection, endUser } of alive) {
        assert.ok((await listed(`endUserId=${endUser}`)).includes(connection), `${endUser} is not found`);
      }
    },
  },
  {
    says: 'the schedule finishes its sweep and writes no connection off',
    isAbout: always,
    async check({ gateway, ask }, { alive }) {
      const report = Object(await gateway.tick('refresh'));
      assert.equal(report.finished, true, JSON.stringify(report));
      for (const one of alive) {
        assert.match(JSON.stringify((await ask('GET', pathOf(one))).body), /"status":"active"|"errors":\[\]/);
      }
    },
  },
  {
    says: 'feeds continue after their last sequence number',
    isAbout: ({ feeds }) => feeds.length > 0,
    async check(gateway, { feeds, alive }) {
      for (const { id, integration, lastSequence } of feeds) {
        const connection = alive.find((one) => one.integration === integration);
        assert.ok(connection);
        const added = await addTo(gateway, connection, 'after the upgrade');
        assert.equal((await gateway.ask('POST', `/feeds/${id}/pull`)).status, 200);
        const told = await arrival(`The next batch of ${integration}`, async () => {
          // As the schedule would: a pull that a busy machine cuts short continues at the next tick.
          await gateway.gateway.tick('feeds');
          const { body } = await gateway.ask('GET', `/feeds/${id}/changes?after=${lastSequence}`);
          return body.data?.find((one: { changes: { id: string }[] }) =>
            one.changes.some((change) => change.id === added),
          );
        });
        assert.ok(told.sequence > lastSequence);
      }
    },
  },
  {
    says: 'webhooks deliver, signed with their old secret',
    isAbout: ({ webhooks }) => webhooks.length > 0,
    async check({ ask, gateway }, { webhooks }) {
      await using endpoint = await openEndpoint();
      for (const { id, secret } of webhooks) {
        // Where the endpoint is now, which is no port of the recording.
        const moved = await ask('PATCH', `/webhooks/${id}`, { url: `${endpoint.address}/${id}` });
        assert.equal(moved.status, 200, JSON.stringify(moved.body));
        const enabled = await ask('POST', `/webhooks/${id}/enable`);
        assert.equal(enabled.body.data?.status, 'enabled', JSON.stringify(enabled.body));
        assert.equal((await ask('POST', '/account/keys', { name: 'told', right: 'read' })).status, 201);
        const message = await arrival('An event at the webhook', async () => {
          await gateway.tick('deliver');
          return endpoint.messages.find(({ body }) => body.includes('SecretKeyCreated'));
        });
        assert.ok(new Webhook(secret).verify(message.body, message.headers));
      }
    },
  },
  {
    says: 'usage of recorded days is there',
    isAbout: ({ usage }) => usage.length > 0,
    async check({ ask }, { usage, recordedAt }) {
      const isKept = Date.now() - Date.parse(recordedAt) < USAGE_IS_THERE_DAYS * DAY_MS;
      for (const { day, integration, calls } of usage) {
        const { body } = await ask('GET', `/usage?by=integration&from=${day}&to=${day}`);
        const row = body.data.rows.find(
          (one: { provider_config_key: string }) => one.provider_config_key === integration,
        );
        if (isKept) assert.ok(row?.calls >= calls, `${integration}: ${JSON.stringify(row)} instead of ${calls}`);
        else assert.ok(Array.isArray(body.data.rows));
      }
    },
  },
  {
    says: 'events of before are listed',
    isAbout: ({ events }) => events.length > 0,
    async check({ ask, gateway }, { events }) {
      const missing = async () => {
        const listed = new Set<string>();
        for (let cursor: string | null = ''; cursor !== null; ) {
          const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
          const { status, body } = await ask('GET', `/events?limit=100${more}`);
          assert.equal(status, 200);
          for (const event of body.data) listed.add(event.event_id ?? event.id);
          cursor = body.next_cursor;
        }
        return events.filter((id) => !listed.has(id));
      };
      // Events of a version without the list get their place from the schedule, a part at each turn.
      for (let turn = 0; turn < TURNS_OF_THE_SCHEDULE && (await missing()).length > 0; turn += 1) {
        await gateway.tick('refresh');
      }
      assert.deepEqual(await missing(), []);
    },
  },
  {
    says: 'a connection that died works again once its user has consented again',
    isAbout: always,
    async check(gateway, { dead }) {
      for (const one of dead) {
        const of = { integration_id: one.integration, connection_id: one.connection };
        const session = await gateway.ask('POST', '/connect/sessions/reconnect', of);
        assert.equal(session.status, 201, JSON.stringify(session.body));
        const { token } = session.body.data;
        await consent({ gateway, walkConsent, token, integration: one.integration, account: DEAD_ACCOUNT });
        assert.equal((await gateway.proxy(one, one.path)).status, 200);
      }
    },
  },
];
