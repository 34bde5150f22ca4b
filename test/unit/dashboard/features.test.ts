import { expect, it } from 'vitest';
import { nothingNeedsYou } from '../../../packages/dashboard/src/model/features.ts';

it.each<[string[], string]>([
  [[], 'Nothing needs you: clients, connections, webhooks, feeds, quotas, approvals and keys are well.'],
  [['undo', 'webhooks'], 'Nothing needs you: clients, connections, feeds, quotas, approvals and keys are well.'],
  [['approvals', 'feeds', 'webhooks'], 'Nothing needs you: clients, connections, quotas and keys are well.'],
])('calls only what the deployment has well: without %j', (without, sentence) => {
  expect(nothingNeedsYou(new Set(without))).toBe(sentence);
});
