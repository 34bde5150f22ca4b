import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import {
  AWS_CALL_LIMITS,
  type AwsCallLimits,
  awsClient,
  endCallsWithInvocation,
  reportOutages,
} from '../../../lambdas/gateway/platform/aws-client.ts';
import { quietNowMs } from '../../support/quiet-time.ts';
import { serve } from '../support/upstream.ts';
import { fullListener, TROUBLES, type Trouble } from './support/troubles.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** 10 % of the project's own limits, so tests are fast. */
const LIMITS: AwsCallLimits = { attempts: 4, connectMs: 1_000, answerMs: 500, lastRepeatMs: 950 };
const ITEM = JSON.stringify({ Item: { pk: { S: 'a' }, sk: { S: 'b' } } });
const GET = { TableName: 'table', Key: { pk: { S: 'a' }, sk: { S: 'b' } } };

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterEach(() => {
  vi.unstubAllEnvs();
  endCallsWithInvocation(Number.POSITIVE_INFINITY);
});

/** A service in trouble, and how many requests reached it. */
async function serviceIn(trouble: Trouble): Promise<{ readonly requests: () => number }> {
  let requests = 0;
  const origin = await serve((_, response) => {
    requests++;
    trouble(response);
  });
  vi.stubEnv('AWS_ENDPOINT_URL', origin);
  return { requests: () => requests };
}

/** What a call ended with, and after how long: by the clock, and on a quiet machine. */
async function ended(
  call: Promise<unknown>,
): Promise<{ readonly error: Error; readonly ms: number; readonly quietMs: number }> {
  const [from, quietFrom] = [performance.now(), quietNowMs()];
  const error = await call.then(
    () => new Error('It was answered'),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  return { error, ms: performance.now() - from, quietMs: quietNowMs() - quietFrom };
}

const read = (client: DynamoDBClient, options?: { readonly abortSignal: AbortSignal }) =>
  client.send(new GetItemCommand(GET), options);

describe('LA-22: a service that', () => {
  test.each(TROUBLES)('%s is asked twice and then given up as an error', async (_, trouble) => {
    const { requests } = await serviceIn(trouble);
    const { error, ms, quietMs } = await ended(read(awsClient(DynamoDBClient, LIMITS)));
    expect(error.name).toBe('TimeoutError');
    expect(requests()).toBe(2);
    expect(ms).toBeGreaterThan(2 * LIMITS.answerMs - 50);
    expect(quietMs).toBeLessThan(LIMITS.lastRepeatMs + LIMITS.answerMs + 1_500);
  });

  test('cuts its answer is asked again, and its whole answer counts', async () => {
    const { requests } = await serviceIn((response) => {
      response.writeHead(200, { 'content-length': ITEM.length });
      if (requests() < 3) response.write(ITEM.slice(0, 9), () => response.socket?.resetAndDestroy());
      else response.end(ITEM);
    });
    expect((await read(awsClient(DynamoDBClient, LIMITS))).Item).toEqual({ pk: { S: 'a' }, sk: { S: 'b' } });
    expect(requests()).toBe(3);
  });

  test('cuts every answer is given up after the last attempt', async () => {
    const { requests } = await serviceIn((response) => {
      response.writeHead(200, { 'content-length': ITEM.length });
      response.write(ITEM.slice(0, 9), () => response.socket?.resetAndDestroy());
    });
    const { error } = await ended(read(awsClient(DynamoDBClient, { ...LIMITS, lastRepeatMs: 10_000 })));
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(requests()).toBe(LIMITS.attempts);
  });

  test('sends garbage fails its call at once', async () => {
    const { requests } = await serviceIn((response) => response.end('<html>'));
    const { error } = await ended(read(awsClient(DynamoDBClient, LIMITS)));
    expect(error.name).toBe('SyntaxError');
    expect(requests()).toBe(1);
  });

  test('throttles is not waited for beyond the time for repeats', async () => {
    await serviceIn((response) => {
      response.writeHead(400).end(JSON.stringify({ __type: 'x#ProvisionedThroughputExceededException' }));
    });
    const { error, quietMs } = await ended(read(awsClient(DynamoDBClient, { ...LIMITS, attempts: 50 })));
    expect(error.name).toBe('ProvisionedThroughputExceededException');
    expect(quietMs).toBeLessThan(LIMITS.lastRepeatMs + 1_500);
  });

  test.each([1, 2, 3])(
    'throttles learns of each request it refuses, also of a client with %i attempts (ST-25)',
    async (attempts) => {
      const { requests } = await serviceIn((response) => {
        if (requests() < 3) response.writeHead(400).end(JSON.stringify({ __type: 'x#ThrottlingException' }));
        else response.end(ITEM);
      });
      let told = 0;
      const limits = { ...LIMITS, attempts, lastRepeatMs: 10_000 };
      const client = awsClient(DynamoDBClient, limits, undefined, () => {
        told += 1;
      });
      await read(client).catch(() => {});
      expect([requests(), told]).toEqual([attempts, Math.min(attempts, 2)]);
    },
  );

  test('takes no connection is given up after the time for one', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', await fullListener());
    const limits = { ...LIMITS, connectMs: 100, answerMs: 10_000, attempts: 1 };
    const { error, quietMs } = await ended(read(awsClient(DynamoDBClient, limits)));
    expect(error.name).toBe('TimeoutError');
    expect(error.message).toContain('connection');
    expect(quietMs).toBeLessThan(2_000);
  });
});

/** For calls that only have to end: nothing is measured from below. */
const SHORT: AwsCallLimits = { ...LIMITS, answerMs: 100, lastRepeatMs: 190 };

/** Every service that functions call, through the same door. */
const SERVICES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['table', () => read(awsClient(DynamoDBClient, SHORT))],
  ['KMS', () => awsClient(KMSClient, SHORT).send(new GenerateDataKeyCommand({ KeyId: 'key' }))],
  ['Secrets Manager', () => awsClient(SecretsManagerClient, SHORT).send(new GetSecretValueCommand({ SecretId: 'a' }))],
  ['Lambda', () => awsClient(LambdaClient, SHORT).send(new InvokeCommand({ FunctionName: 'feeds' }))],
];

test.each(SERVICES)('LA-3: a call of %s that is never answered ends', async (_, call) => {
  await serviceIn(() => {});
  const { error, quietMs } = await ended(call());
  expect(error.name).toBe('TimeoutError');
  expect(quietMs).toBeLessThan(SHORT.lastRepeatMs + SHORT.answerMs + 1_500);
});

describe("CL-12: a caller's own signal", () => {
  test.each(TROUBLES)('ends a call at once and for good when a service %s', async (_, trouble) => {
    const caller = new AbortController();
    let endedAt = 0;
    const { requests } = await serviceIn((response) => {
      trouble(response);
      setTimeout(() => {
        endedAt = quietNowMs();
        caller.abort(new DOMException('The caller has waited enough', 'TimeoutError'));
      }, 100);
    });
    const client = awsClient(DynamoDBClient, { ...LIMITS, answerMs: 10_000 });
    const { error } = await ended(read(client, { abortSignal: caller.signal }));
    expect(error.name).toBe('AbortError');
    expect(quietNowMs() - endedAt).toBeLessThan(1_000);
    expect(requests()).toBe(1);
  });

  test('ends a call that waits for its repeat', async () => {
    await serviceIn((response) => {
      response.writeHead(400).end(JSON.stringify({ __type: 'x#ProvisionedThroughputExceededException' }));
    });
    const client = awsClient(DynamoDBClient, { ...LIMITS, attempts: 1_000, lastRepeatMs: 60_000 });
    const { error, quietMs } = await ended(read(client, { abortSignal: AbortSignal.timeout(100) }));
    expect(error.name).toBe('AbortError');
    expect(quietMs).toBeLessThan(1_500);
  });

  test("a caller's own signal that was over before the call sends nothing", async () => {
    const { requests } = await serviceIn(() => {});
    const { error } = await ended(read(awsClient(DynamoDBClient, LIMITS), { abortSignal: AbortSignal.abort() }));
    expect(error.name).toBe('AbortError');
    expect(requests()).toBe(0);
  });
});

describe('F115: calls of an invocation', () => {
  test('calls of an invocation end so early before its function is stopped that it can still answer', async () => {
    await serviceIn(() => {});
    endCallsWithInvocation(1_300);
    const client = awsClient(DynamoDBClient);
    const first = await ended(read(client));
    expect(first.error.name).toBe('TimeoutError');
    expect(first.quietMs).toBeLessThan(1_300);
    // The next of them has no time left, and a call that has takes five seconds.
    expect((await ended(read(client))).quietMs).toBeLessThan(1_000);
  });

  test('calls of an invocation have all their time again in the next one', async () => {
    let isWell = false;
    await serviceIn((response) => void (isWell && response.end(ITEM)));
    const client = awsClient(DynamoDBClient, LIMITS);
    endCallsWithInvocation(0);
    expect((await ended(read(client))).error.name).toBe('TimeoutError');
    isWell = true;
    endCallsWithInvocation(15_000);
    expect((await read(client)).Item).toBeDefined();
  });
});

test('F115: a service that gives no answer is a 503 that names it and says to try again', async () => {
  await serviceIn(() => {});
  const client = awsClient(KMSClient, SHORT);
  reportOutages(client, 'its keys');
  const { error } = await ended(client.send(new GenerateDataKeyCommand({ KeyId: 'key' })));
  expect(error).toBeInstanceOf(GatewayError);
  expect(error).toMatchObject({ code: 'service_unavailable', status: 503, retryAfterSec: 1 });
  expect(error.message).toBe('The gateway cannot reach its keys right now. Try again.');
});

test('LA-22: a call that nobody gave other limits takes a second to connect, five to be answered and eleven in all', () => {
  expect(AWS_CALL_LIMITS).toEqual({ attempts: 4, connectMs: 1_000, answerMs: 5_000, lastRepeatMs: 6_000 });
});

test('LA-3: no client of an AWS service is made in any other way', async () => {
  const others: string[] = [];
  for await (const path of glob('{lambdas,cli,tools,lib,bin}/**/*.ts', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (/@aws-sdk\/client-/.test(text) && /\bnew \w+Client\(/.test(text)) others.push(path);
  }
  expect(others).toEqual([]);
});
