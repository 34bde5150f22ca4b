// @module-tag long
// @module-tag long
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { describeProxyCalls } from './nango-suite.ts';
import { gatewayTraces, seenUpstream, startWriterGateway, type WriterGateway } from './writers.ts';

let gateway: WriterGateway;
beforeAll(async () => {
  gateway = await startWriterGateway();
  await seenUpstream(gateway.test);
});
afterAll(() => gateway?.[Symbol.asyncDispose]());
afterEach(async () => {
  expect(gatewayTraces(await seenUpstream(gateway.test), gateway)).toEqual([]);
});

describeProxyCalls('the compatible package at an address without a path', () => gateway);
