import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it } from 'vitest';
import { keptMfa } from '../../../dev/tools/deployed-mfa.ts';

const formation = mockClient(CloudFormationClient);
afterEach(() => formation.reset());

function deployed(outputs: Readonly<Record<string, string>>): void {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  formation.on(DescribeStacksCommand).resolves({
    Stacks: [{ StackName: 'x', CreationTime: new Date(0), StackStatus: 'CREATE_COMPLETE', Outputs }],
  });
}

const region = ['-c', 'gateway:region=eu-central-1'];

describe('a deployment over a stack that is there', () => {
  it('ST-30: keeps a pool of an earlier release as it was, and says what to set', async () => {
    deployed({ OperatorIssuer: 'https://issuer.example' });
    const kept = await keptMfa(region, {});
    expect(kept.args).toEqual(['-c', 'gateway:operatorMfa=optional']);
    expect(kept.note).toContain('-c gateway:operatorMfa=required');
  });

  it('ST-30: keeps what an earlier deployment set', async () => {
    deployed({ OperatorIssuer: 'https://issuer.example', OperatorMfa: 'required' });
    expect(await keptMfa(region, {})).toEqual({ args: ['-c', 'gateway:operatorMfa=required'], note: undefined });
  });

  it('ST-30: leaves a new stack, and one without a dashboard, to the default, which requires a second factor', async () => {
    formation.on(DescribeStacksCommand).rejects(new Error('Stack with id Gateway does not exist'));
    expect(await keptMfa([...region, '--context=gateway:stackName=Gateway'], {})).toEqual({
      args: [],
      note: undefined,
    });
    expect(formation.commandCalls(DescribeStacksCommand)[0]?.args[0].input).toEqual({ StackName: 'Gateway' });
    deployed({});
    expect((await keptMfa(region, {})).args).toEqual([]);
  });

  it('leaves what is given alone, in an argument or in cdk.json, and asks AWS nothing', async () => {
    expect((await keptMfa(['-c', 'gateway:operatorMfa=required'], {})).args).toEqual([]);
    expect((await keptMfa([], { 'gateway:operatorMfa': 'optional' })).args).toEqual([]);
    expect(formation.calls()).toEqual([]);
  });

  it('stops where AWS does not tell, rather than change how operators sign in', async () => {
    formation.on(DescribeStacksCommand).rejects(new Error('AccessDenied'));
    await expect(keptMfa(region, {})).rejects.toThrow(
      'Give what its operators shall need: -c gateway:operatorMfa=required',
    );
  });
});
