import { expect, it } from 'vitest';
import { Progress } from '../../../packages/cli/bulk/progress.ts';
import { importConnections } from '../../../packages/cli/move/import-connections.ts';
import { GatewayError } from '../../../packages/client/src/index.ts';

function failure(code: string, status: number, message: string): GatewayError {
  const none = { requestId: undefined, connection: undefined, retryAfterSec: undefined, approval: undefined };
  const facts = { problems: [], applied: undefined, mayHaveBeenApplied: false };
  return new GatewayError(message, { code, status, ...none, ...facts });
}

const FAILURES: Readonly<Record<string, GatewayError>> = {
  existing: failure('conflict', 409, 'There is one.'),
  wrong: failure('invalid_body', 400, 'The provider refuses it.'),
  broken: failure('internal_error', 500, 'Something failed.'),
};

it('an import reports separately which lines fail again and which another run may import', async () => {
  const lines = ['good', 'broken', 'existing', 'wrong'].map((connectionId, index) => ({
    number: index + 1,
    connection: { providerConfigKey: 'drive', connectionId, refreshToken: '1//token' },
  }));
  const gateway = {
    connections: {
      async import({ connectionId }: { readonly connectionId: string }) {
        const failure = FAILURES[connectionId];
        if (failure !== undefined) throw failure;
      },
    },
  };
  const options = { atATime: 2, progress: new Progress('importing'), stop: new AbortController().signal };
  // @ts-expect-error Only the part that an import calls.
  expect(await importConnections(gateway, lines, options)).toEqual({
    imported: 1,
    existing: 1,
    refused: [{ number: 4, problems: ['The provider refuses it.'] }],
    postponed: [{ number: 2, problems: ['Something failed.'] }],
    stopped: false,
  });
});
