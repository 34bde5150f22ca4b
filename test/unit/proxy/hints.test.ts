import { describe, expect, it } from 'vitest';
import { hinted } from '../../../lambdas/gateway/forwarding/proxy-call.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';

const SCOPE = 'https://www.googleapis.com/auth/';
const READS = { requestedScopes: [`${SCOPE}drive`], grantedScopes: [`${SCOPE}drive.metadata.readonly`] };

async function answerTo(reason: string, connection: typeof READS) {
  const text = JSON.stringify({ error: { code: 403, errors: [{ reason }] } });
  const body = async function* () {
    yield Buffer.from(text);
  };
  const answer = { status: 403, headers: [], body: body(), abandon: () => undefined, retryBudgetSpent: false };
  const plan = { origin: '', method: 'GET', effectiveMethod: 'GET', target: '/', headers: [], body: undefined };
  const { hint, body: passed } = await hinted(answer, plan, PROVIDERS['google-drive'], connection);
  const chunks: Uint8Array[] = [];
  for await (const chunk of passed) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe(text);
  return hint;
}

describe('a 403 from Google', () => {
  it.each(['insufficientPermissions', 'insufficientScopes'])(
    'names the scopes that the user did not grant in x-gateway-hint when it says %s',
    async (reason) => {
      expect(await answerTo(reason, READS)).toBe(`missing_scopes ${SCOPE}drive`);
    },
  );

  it('a 403 from Google has no hint when it has another reason, or when every requested scope was granted', async () => {
    expect(await answerTo('domainPolicy', READS)).toBeUndefined();
    expect(
      await answerTo('insufficientPermissions', { ...READS, requestedScopes: READS.grantedScopes }),
    ).toBeUndefined();
  });
});
