import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { CfnUserPoolIdentityProvider, LambdaVersion, type UserPool, UserPoolOperation } from 'aws-cdk-lib/aws-cognito';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { OPERATOR_CLAIMS } from '../../lambdas/gateway/core/contract.ts';
import type { OperatorIdentityProvider } from '../option-values.ts';

/**
 * Attribute of the user pool that holds the groups. A standard one: attributes of our own could never be removed from a pool again, and
 * would have to be opened to the dashboard's client.
 */
const GROUPS_ATTRIBUTE = 'profile';

/**
 * Writes what a person may do into their tokens ("Pre token generation Lambda trigger", event version 2). Lists arrive as one text: JSON,
 * or in brackets with commas between values that may be form-encoded ("Mapping IdP attributes to profiles and tokens"). User names arrive
 * in lower case ("User pool case sensitivity"). Everyone in no group gets the role `none`, which the gateway refuses.
 */
const WRITE_ROLE = `
exports.handler = async (event) => {
  const { provider, operatorGroups, viewerGroups, secondFactor, passwords } = JSON.parse(process.env.ROLES);
  const attributes = event.request.userAttributes;
  const isFederated = attributes['cognito:user_status'] === 'EXTERNAL_PROVIDER';
  const poolGroups = event.request.groupConfiguration?.groupsToOverride ?? [];
  const has = (groups, wanted) => groups.some((one) => wanted.includes(one));
  const claims = {};
  if (isFederated) {
    const isOfProvider = event.userName.toLowerCase().startsWith(provider.toLowerCase() + '_');
    const groups = isOfProvider ? namesIn(attributes.${GROUPS_ATTRIBUTE} ?? '') : [];
    claims.${OPERATOR_CLAIMS.role} = has(groups, operatorGroups) ? 'operator' : has(groups, viewerGroups) ? 'viewer' : 'none';
    claims.${OPERATOR_CLAIMS.secondFactor} = String(secondFactor);
  } else {
    const isViewer = poolGroups.includes('viewer') && !poolGroups.includes('operator');
    claims.${OPERATOR_CLAIMS.role} = !passwords ? 'none' : isViewer ? 'viewer' : 'operator';
  }
  event.response = {
    claimsAndScopeOverrideDetails: {
      idTokenGeneration: { claimsToAddOrOverride: claims },
      accessTokenGeneration: { claimsToAddOrOverride: claims },
    },
  };
  return event;
};
function namesIn(text) {
  try {
    const value = JSON.parse(text);
    if (Array.isArray(value)) return value.map(String);
  } catch {}
  const names = text.replace(/^\\[|\\]$/g, '').split(',').map((one) => one.trim());
  return names.flatMap((one) => [one, decoded(one)]);
}
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
`.trim();

/** The company's sign-in, and the pool that gets it. */
export interface OperatorRolesProps {
  readonly pool: UserPool;
  readonly provider: OperatorIdentityProvider;
  readonly logRetentionDays: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** Attaches a company's identity provider to the operators' user pool, and the function that maps its groups to roles. */
export class OperatorRoles extends Construct {
  /** The provider, which must exist before a client that names it. */
  readonly provider: CfnUserPoolIdentityProvider;

  constructor(scope: Construct, id: string, { pool, provider, logRetentionDays, removalPolicy }: OperatorRolesProps) {
    super(scope, id);
    const { oidc, saml, operatorGroups, viewerGroups, secondFactor, passwords } = provider;
    this.provider = new CfnUserPoolIdentityProvider(this, 'Provider', {
      userPoolId: pool.userPoolId,
      providerName: provider.name,
      providerType: oidc === undefined ? 'SAML' : 'OIDC',
      providerDetails:
        oidc === undefined
          ? { MetadataURL: saml?.metadataUrl, IDPSignout: 'false' }
          : {
              client_id: oidc.clientId,
              client_secret: secretReference(oidc),
              oidc_issuer: oidc.issuer,
              authorize_scopes: oidc.scopes.join(' '),
              attributes_request_method: 'GET',
            },
      attributeMapping: { email: provider.emailAttribute, [GROUPS_ATTRIBUTE]: provider.groupsAttribute },
    });
    const logGroup = new LogGroup(this, 'Logs', { retention: logRetentionDays, removalPolicy });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    role.addToPrincipalPolicy(
      new PolicyStatement({
        sid: 'WriteLogs',
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    );
    const writer = new LambdaFunction(this, 'Function', {
      description: 'Writes into an operator’s tokens what they may do, by the groups of the company’s sign-in',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromInline(WRITE_ROLE),
      // Cognito waits for five seconds.
      timeout: Duration.seconds(5),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment: {
        ROLES: JSON.stringify({ provider: provider.name, operatorGroups, viewerGroups, secondFactor, passwords }),
      },
    });
    pool.addTrigger(UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG, writer, LambdaVersion.V2_0);
  }
}

/** Where CloudFormation reads the client secret ("Get a secret or secret value from Secrets Manager"). */
function secretReference(oidc: NonNullable<OperatorIdentityProvider['oidc']>): string {
  const { clientSecretArn, clientSecretField = '', clientSecretVersion = '' } = oidc;
  return `{{resolve:secretsmanager:${clientSecretArn}:SecretString:${clientSecretField}::${clientSecretVersion}}}`;
}
