import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON } from '../../../dev/support/option-samples.ts';
import { flatten, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';

const integrationSchema = z.looseObject({ Integration: z.looseObject({ Uri: z.unknown() }) });
const template = await synthesize(EVERYTHING_ON);
const [[live, properties] = ['', {}], ...others] = started(template);
const alias = flatten({ Ref: live });

/** The aliases that have processes waiting; those of inner doors lead to the newest code and have none. */
function started(of: Template) {
  return Object.entries(resourcesOf(of, 'AWS::Lambda::Alias'))
    .filter(([, { Properties }]) => Properties.ProvisionedConcurrencyConfig !== undefined)
    .map(([id, { Properties }]) => [id, Properties] as const);
}

describe('provisionedConcurrency', () => {
  it('provisionedConcurrency is nothing by default: no version, and no alias with processes that wait', async () => {
    const defaults = await synthesize();
    expect(Object.keys(resourcesOf(defaults, 'AWS::Lambda::Version'))).toEqual([]);
    expect(started(defaults)).toEqual([]);
  });

  it('keeps processes of the proxy’s newest version started, and of no other function', () => {
    expect(others).toEqual([]);
    expect(properties).toMatchObject({
      Name: 'live',
      FunctionName: { Ref: expect.stringMatching(/^GatewayProxyFunction/) },
      FunctionVersion: { 'Fn::GetAtt': [expect.stringMatching(/^GatewayProxyFunctionCurrentVersion/), 'Version'] },
      ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 2 },
    });
    expect(Object.keys(resourcesOf(template, 'AWS::Lambda::Version'))).toHaveLength(1);
  });

  it('provisionedConcurrency is what every proxied call reaches: the routes lead to the alias', () => {
    const uris = Object.values(resourcesOf(template, 'AWS::ApiGateway::Method'))
      .map(({ Properties }) => flatten(integrationSchema.parse(Properties).Integration.Uri))
      .filter((uri) => /response-streaming-invocations/.test(uri) && !uri.includes('GatewayMcpFunction'));
    // Secret keys and IAM roles have routes of their own, each for the path itself and for all below it.
    expect(uris).toHaveLength(4);
    for (const uri of uris) expect(uri).toContain(alias);
  });

  it('lets API Gateway call the alias and not the bare function', () => {
    const callees = Object.values(resourcesOf(template, 'AWS::Lambda::Permission')).map(({ Properties }) =>
      flatten(Properties.FunctionName),
    );
    expect(callees).toContain(alias);
    expect(callees.filter((callee) => callee.startsWith('<GatewayProxyFunction.'))).toEqual([]);
  });

  it('provisionedConcurrency is what alarms look at', () => {
    const alarms = JSON.stringify(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
    const dimension =
      /"Name":"Resource","Value":\{"Fn::Join":\["",\[\{"Ref":"GatewayProxyFunction[0-9A-F]{8}"\},":live"/;
    expect(alarms).toMatch(dimension);
  });

  it('makes another version when the function’s settings change', async () => {
    const versionOf = (one: Template) => Object.keys(resourcesOf(one, 'AWS::Lambda::Version'))[0];
    const changed = await synthesize({ ...EVERYTHING_ON, keepAliveDays: 7 });
    expect(versionOf(changed)).not.toBe(versionOf(template));
  });
});
