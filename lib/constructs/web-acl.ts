import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Rules about bodies, which only count: stored metadata, tags and secrets may contain anything. */
const BODY_RULES = [
  'SizeRestrictions_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'CrossSiteScripting_BODY',
];

/** Rules about what is normal here: backends without a User-Agent, and Google's list of scopes in a callback. */
const ORDINARY_RULES = ['NoUserAgent_HEADER', 'SizeRestrictions_QUERYSTRING'];

/** Paths that the rules distinguish, and the limit of one address. */
export interface WebAclProps {
  readonly stageName: string;
  /** Requests of one address in five minutes to the pages for end users. */
  readonly requestsPerIp: number;
}

type Statement = CfnWebACL.StatementProperty;

/**
 * A web ACL for the gateway: AWS's managed rules where the gateway itself reads the request, and a limit per address on
 * pages for browsers.
 *
 * Proxied calls are excluded: path, query and body belong to the provider's API, and a rule that cannot distinguish a Drive query from
 * an attack would break callers at random. The limit also excludes backends, because all their calls come from few
 * addresses.
 */
export class WebAcl extends Construct {
  /** ARN of the ACL. */
  readonly arn: string;

  constructor(scope: Construct, id: string, { stageName, requestsPerIp }: WebAclProps) {
    super(scope, id);
    const not: Statement = { notStatement: { statement: pathStartsWith(stageName, ['/proxy']) } };
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      description: 'Guards the integration gateway',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('GatewayRequests'),
      rules: [
        {
          name: 'RequestsPerAddress',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              limit: requestsPerIp,
              scopeDownStatement: pathStartsWith(stageName, ['/oauth/', '/connect']),
            },
          },
          visibilityConfig: visibility('RequestsPerAddress'),
        },
        managed('AWSManagedRulesCommonRuleSet', 1, not, [...BODY_RULES, ...ORDINARY_RULES]),
        managed('AWSManagedRulesKnownBadInputsRuleSet', 2, not, []),
      ],
    });
    this.arn = acl.attrArn;
  }
}

/** Puts an ACL in front of a stage. */
export function guardStage(scope: Construct, id: string, stageArn: string, webAclArn: string): void {
  new CfnWebACLAssociation(scope, id, { resourceArn: stageArn, webAclArn });
}

function managed(name: string, priority: number, scopeDownStatement: Statement, counted: readonly string[]) {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        scopeDownStatement,
        ...(counted.length === 0
          ? {}
          : { ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })) }),
      },
    },
    visibilityConfig: visibility(name),
  };
}

/** Whether the path begins with one of these, after the stage's name or, on a custom domain, without it. */
function pathStartsWith(stageName: string, prefixes: readonly string[]): Statement {
  return {
    orStatement: {
      statements: prefixes
        .flatMap((prefix) => [prefix, `/${stageName}${prefix}`])
        .map((searchString) => ({
          byteMatchStatement: {
            fieldToMatch: { uriPath: {} },
            positionalConstraint: 'STARTS_WITH',
            searchString,
            textTransformations: [{ priority: 0, type: 'NONE' }],
          },
        })),
    },
  };
}

/** Counted but never sampled: samples contain whole requests, and with them codes, states and keys. */
function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: false };
}
