import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { describeGatewayClient } from './gateway-client-suite.ts';
import { describeGoogleCalendar } from './google-calendar-suite.ts';
import { describeGoogleDrive } from './google-drive-suite.ts';
import { describeProxyCalls } from './nango-suite.ts';
import { gatewayTraces, seenUpstream, startWriterGateway, type WriterGateway } from './writers.ts';

let gateway: WriterGateway;
beforeAll(async () => {
  // A stage path, as execute-api addresses have one.
  gateway = await startWriterGateway({ stagePrefix: 'v1' });
  await seenUpstream(gateway.test);
});
afterAll(() => gateway?.[Symbol.asyncDispose]());
afterEach(async () => {
  expect(gatewayTraces(await seenUpstream(gateway.test), gateway)).toEqual([]);
});

describeGoogleDrive(() => gateway);
describeGoogleCalendar(() => gateway);
describeProxyCalls('the compatible package at an address with a stage path', () => gateway);
describeGatewayClient(() => gateway);
