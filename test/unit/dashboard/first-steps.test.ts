import { describe, expect, it } from 'vitest';
import { createFirstSteps } from '../../../packages/dashboard/src/data/first-steps.ts';
import { SHARED_FRESH_MS } from '../../../packages/dashboard/src/data/shared-value.ts';

/** A gateway with so many connections and these keys, and how often it was asked. */
function gatewayWith(state: { connections: number; lastUsedAts: readonly (string | undefined)[] }) {
  let asked = 0;
  const gateway = Object({
    keys: {
      list: async () => {
        asked += 1;
        return state.lastUsedAts.map((lastUsedAt) => ({ lastUsedAt }));
      },
    },
    connections: { list: async () => ({ connections: new Array(state.connections).fill({}) }) },
  });
  return { gateway, asked: () => asked };
}

const arrived = () => new Promise((resolve) => setImmediate(resolve));

describe('the first steps of an account', () => {
  it('the first steps of an account are not known until they have been read', () => {
    const { gateway } = gatewayWith({ connections: 0, lastUsedAts: [] });
    expect(createFirstSteps(gateway).current()).toBeUndefined();
  });

  it.each([
    ['there is no connection', { connections: 0, lastUsedAts: ['2026-01-01T00:00:00Z'] }],
    ['no key was used', { connections: 1, lastUsedAts: [undefined] }],
    ['there is no key', { connections: 1, lastUsedAts: [] }],
  ])('the first steps of an account are open while %s', async (_what, state) => {
    const steps = createFirstSteps(gatewayWith(state).gateway);
    steps.renew();
    await arrived();
    expect(steps.current()).toBe(true);
  });

  it('the first steps of an account are read again while they are open, and never again once they are done', async () => {
    let nowMs = 0;
    const state = { connections: 1, lastUsedAts: [undefined as string | undefined] };
    const { gateway, asked } = gatewayWith(state);
    const steps = createFirstSteps(gateway, () => nowMs);
    for (const used of [undefined, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z']) {
      state.lastUsedAts = [used];
      steps.renew();
      await arrived();
      nowMs += SHARED_FRESH_MS;
    }
    expect(steps.current()).toBe(false);
    expect(asked()).toBe(2);
  });
});
