import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON, LITTLE } from '../../../dev/support/option-samples.ts';
import { flatten, onlyResource, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';
import { STACK } from '../../../packages/cli/costs/prices.ts';

const pathsSchema = z.object({
  OrStatement: z.object({
    Statements: z.array(
      z.object({
        ByteMatchStatement: z.looseObject({ SearchString: z.string(), PositionalConstraint: z.literal('STARTS_WITH') }),
      }),
    ),
  }),
});
const visibilitySchema = z.looseObject({ SampledRequestsEnabled: z.boolean() });
const managedSchema = z.looseObject({
  Name: z.string(),
  ScopeDownStatement: z.object({ NotStatement: z.object({ Statement: pathsSchema }) }),
  RuleActionOverrides: z.array(z.strictObject({ Name: z.string(), ActionToUse: z.unknown() })).default([]),
});
const ruleSchema = z.looseObject({
  VisibilityConfig: visibilitySchema,
  Statement: z.object({
    ManagedRuleGroupStatement: managedSchema.optional(),
    RateBasedStatement: z.looseObject({ Limit: z.number(), ScopeDownStatement: pathsSchema }).optional(),
  }),
});
const aclSchema = z.looseObject({ VisibilityConfig: visibilitySchema, Rules: z.array(ruleSchema) });

const prefixesOf = (paths: z.output<typeof pathsSchema>) =>
  paths.OrStatement.Statements.map(({ ByteMatchStatement }) => ByteMatchStatement.SearchString);

function associationOf(template: Template): { stage: string; acl: string } {
  const { ResourceArn, WebACLArn } = onlyResource(template, 'AWS::WAFv2::WebACLAssociation').Properties;
  return { stage: flatten(ResourceArn), acl: flatten(WebACLArn) };
}

const template = await synthesize(EVERYTHING_ON);
const acl = aclSchema.parse(onlyResource(template, 'AWS::WAFv2::WebACL').Properties);
const managed = acl.Rules.flatMap(({ Statement }) => Statement.ManagedRuleGroupStatement ?? []);

describe('webAcl', () => {
  it('webAcl is nothing by default', async () => {
    const types = Object.values(resourcesOf(await synthesize())).map(({ Type }) => Type);
    expect(types.filter((type) => type.includes('WAFv2'))).toEqual([]);
  });

  it('webAcl has as many rules as docs/costs.md counts', () => {
    expect(acl.Rules).toHaveLength(STACK.webAclRules);
  });

  it('guards the stage with the ACL it makes', () => {
    expect(associationOf(template)).toEqual({
      stage: 'arn:aws:apigateway:us-east-1::/restapis/<GatewayApi>/stages/<GatewayApiDeploymentStagegateway2>',
      acl: '<GatewayApiWebAcl.Arn>',
    });
  });

  it('guards the stage with an ACL that is given, and makes none', async () => {
    const given = await synthesize(LITTLE);
    expect(associationOf(given).acl).toBe(LITTLE.webAcl);
    expect(resourcesOf(given, 'AWS::WAFv2::WebACL')).toEqual({});
  });

  it('judges no proxied call by a managed rule, with and without the stage in the path', () => {
    expect(managed.map(({ Name }) => Name)).toEqual([
      'AWSManagedRulesCommonRuleSet',
      'AWSManagedRulesKnownBadInputsRuleSet',
    ]);
    for (const { ScopeDownStatement } of managed) {
      expect(prefixesOf(ScopeDownStatement.NotStatement.Statement)).toEqual(['/proxy', '/gateway_2/proxy']);
    }
  });

  it('blocks no request for its body, for a missing User-Agent or for a long query', () => {
    const counted = managed[0]?.RuleActionOverrides;
    expect(counted?.map(({ Name }) => Name).toSorted()).toEqual([
      'CrossSiteScripting_BODY',
      'EC2MetaDataSSRF_BODY',
      'GenericLFI_BODY',
      'GenericRFI_BODY',
      'NoUserAgent_HEADER',
      'SizeRestrictions_BODY',
      'SizeRestrictions_QUERYSTRING',
    ]);
    for (const { ActionToUse } of counted ?? []) expect(ActionToUse).toEqual({ Count: {} });
  });

  it('limits each address on the pages of end users, and no backend', () => {
    const limits = acl.Rules.flatMap(({ Statement }) => Statement.RateBasedStatement ?? []);
    expect(limits.map(({ Limit }) => Limit)).toEqual([10]);
    expect(limits.flatMap(({ ScopeDownStatement }) => prefixesOf(ScopeDownStatement))).toEqual([
      '/oauth/',
      '/gateway_2/oauth/',
      '/connect',
      '/gateway_2/connect',
    ]);
  });

  it('LG-7: samples no request: a sample would show codes, states and keys', () => {
    for (const { VisibilityConfig } of [acl, ...acl.Rules]) expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });

  it.each(['yes', 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/edge/1'])('refuses %s', async (webAcl) => {
    await expect(synthesize({ webAcl })).rejects.toThrow(
      'webAcl: must be none, make, or the ARN of a regional web ACL',
    );
  });
});
