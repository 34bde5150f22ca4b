import { expect, it } from 'vitest';
import { erasedWithConnection, keptOfPerson } from '../../../packages/dashboard/src/model/erasure.ts';
import { listed, nothingNeedsYou, ownUses } from '../../../packages/dashboard/src/model/features.ts';

it.each<[string[], string]>([
  [[], 'Nothing needs you: clients, connections, webhooks, feeds, quotas, approvals and keys are well.'],
  [['undo', 'webhooks'], 'Nothing needs you: clients, connections, feeds, quotas, approvals and keys are well.'],
  [['approvals', 'feeds', 'webhooks'], 'Nothing needs you: clients, connections, quotas and keys are well.'],
])('calls only what the deployment has well: without %j', (without, sentence) => {
  expect(nothingNeedsYou(new Set(without))).toBe(sentence);
});

it.each<[string[], string]>([
  [[], 'calls, feeds and checks'],
  [['feeds'], 'calls and checks'],
])('names only what the deployment has among the uses of a quota: without %j', (without, uses) => {
  expect(listed(['calls', ...ownUses(new Set(without))])).toBe(uses);
});

it.each<[string[], string]>([
  [[], 'its tokens, tags, metadata, feeds, journal, recorded calls and calls that wait for approval'],
  [['approvals', 'feeds', 'undo'], 'its tokens, tags, metadata and recorded calls'],
])('erases with a connection only what the deployment keeps: without %j', (without, erased) => {
  expect(erasedWithConnection(new Set(without))).toBe(erased);
});

it.each<[string[], RegExp[]]>([
  [[], [/security events/, /agent keys/]],
  [['agents'], [/security events/]],
  [['agents', 'security-events'], []],
])('keeps of an erased person only what the deployment has: without %j', (without, found) => {
  const kept = keptOfPerson(new Set(without));
  expect(kept).toHaveLength(5 + found.length);
  for (const one of [/security events/, /agent keys/]) {
    expect(kept.some((line) => one.test(line))).toBe(found.some(({ source }) => source === one.source));
  }
});
