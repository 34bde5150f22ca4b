import { describe, expect, it } from 'vitest';
import { isProviderId, PROVIDER_IDS } from '../../../lambdas/gateway/providers/provider.rules.ts';

describe('providers', () => {
  it('are those that are known by name', () => {
    expect(PROVIDER_IDS.every(isProviderId)).toBe(true);
    expect(['google-drive', 'google-calendar', 'google', ''].map(isProviderId)).toEqual([true, true, false, false]);
  });
});
