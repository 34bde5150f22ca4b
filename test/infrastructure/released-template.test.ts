import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { temporaryFolder, writePlaceholderBundles } from '../../dev/support/synthesize.ts';
import {
  GIVEN_UP,
  KEPT_TYPES,
  keptPart,
  lossesIn,
  lossesSince,
  RELEASED_TEMPLATE,
  type Synthesis,
  synthesizeDefaults,
  undecided,
  undecidedLosses,
} from '../../dev/tools/released-template.ts';

const released = z
  .looseObject({ Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.unknown() })) })
  .parse(JSON.parse(readFileSync(RELEASED_TEMPLATE, 'utf8')));

const givenUp = Object.keys(JSON.parse(readFileSync(GIVEN_UP, 'utf8')));
const isGivenUp = (line: string) => givenUp.some((id) => line.includes(id));

const FINISHED = '✨  Number of stacks with differences: 1';

describe('the released template', () => {
  let synthesis: Synthesis;
  beforeAll(async () => {
    using folder = temporaryFolder();
    synthesis = await synthesizeDefaults(writePlaceholderBundles(folder.path));
  });
  afterAll(() => synthesis?.[Symbol.dispose]());

  it('holds every kind of resource whose loss would be felt', () => {
    const types = new Set(Object.values(released.Resources).map(({ Type }) => Type));
    expect([...types].toSorted()).toEqual(Object.keys(KEPT_TYPES).toSorted());
  });

  it('the released template is still kept whole: an update from it replaces and removes nothing of it but what was decided on', {
    tags: ['long'],
  }, async () => {
    expect(await undecidedLosses(synthesis)).toEqual([]);
  });

  it('shows a key under another logical id, a table keyed otherwise and another stage as losses', {
    tags: ['long'],
  }, async () => {
    using folder = temporaryFolder();
    const planted = JSON.stringify(released)
      .replaceAll('GatewayTokenKeyB115D86C', 'FormerKey0123ABCD')
      .replaceAll('"AttributeName":"pk"', '"AttributeName":"id"')
      .replaceAll('"StageName":"v1"', '"StageName":"v0"');
    const path = join(folder.path, 'planted.json');
    writeFileSync(path, planted);
    const losses = (await lossesSince(path, synthesis)).filter((line) => !isGivenUp(line));
    const tables = Object.entries(released.Resources).flatMap(([id, { Type }]) =>
      Type === 'AWS::DynamoDB::GlobalTable' ? [id] : [],
    );
    expect(tables).not.toEqual([]);
    for (const table of tables) {
      expect(losses).toContainEqual(expect.stringContaining(` ${table} (AWS::DynamoDB::GlobalTable): replace.`));
    }
    expect(losses.filter((line) => !line.includes('GlobalTable'))).toEqual([
      expect.stringMatching(/^FormerKey0123ABCD \(AWS::KMS::Key\): orphan\. Lost with it: every token\.$/),
      expect.stringMatching(/Stage\w+ \(AWS::ApiGateway::Stage\): replace\./),
    ]);
    expect(losses).toHaveLength(tables.length + 2);
  });
});

describe('what is given up', () => {
  const loss = 'FormerSecret0123 (AWS::SecretsManager::Secret): orphan. Lost with it: keys and client credentials.';

  it('what is given up is no loss, and hides no other', () => {
    expect(undecided([loss], { FormerSecret0123: 'decided' })).toEqual([]);
    expect(undecided([loss], { FormerSecret: 'another' })).toEqual([
      loss,
      'FormerSecret is given up in lib/released/given-up.json and is not lost.',
    ]);
    expect(undecided([loss], {})).toEqual([loss]);
  });
});

describe('lossesIn', () => {
  it('passes over additions, changes in place and what nobody misses', () => {
    const diff = [
      '[+] AWS::KMS::Key Gateway/TokenKey/Key GatewayTokenKeyB115D86C',
      '[~] AWS::DynamoDB::GlobalTable Gateway/Data/Table GatewayDataTableB05F52A6',
      '[-] AWS::IAM::Policy Gateway/Proxy/Role/DefaultPolicy GatewayProxyRole destroy',
      '[-] AWS::Pipes::Pipe Gateway/Events/Pipe GatewayEventsPipeE600983A destroy',
      '[~] AWS::Lambda::EventSourceMapping Gateway/Events/Trigger GatewayEventsTriggerED5D4F88 replace',
    ];
    expect(lossesIn([...diff, FINISHED].join('\n'))).toEqual([]);
  });

  it('refuses the output of a comparison that did not finish', () => {
    expect(() => lossesIn('Unable to read the template')).toThrow('cdk diff failed:\nUnable to read the template');
  });

  it('counts what may be replaced', () => {
    const diff = `[~] AWS::Cognito::UserPool Gateway/Operators Pool0 may be replaced\n${FINISHED}`;
    expect(lossesIn(diff)).toHaveLength(1);
  });
});

describe('keptPart', () => {
  it('leaves functions and roles out', () => {
    const template = { Resources: { Fn: { Type: 'AWS::Lambda::Function' }, Key: { Type: 'AWS::KMS::Key' } } };
    expect(Object.keys(keptPart(template).Resources)).toEqual(['Key']);
  });
});
