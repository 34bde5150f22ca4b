import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  CfnUserPoolUser,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { DASHBOARD_RETURN_PATHS, ENVIRONMENT, type OperatorMfa } from '../../lambdas/gateway/core/contract.ts';
import type { OperatorIdentityProvider } from '../option-values.ts';
import { acknowledge } from './acknowledge.ts';
import { protection } from './deletion-protection.ts';
import type { GatewayFunction } from './function.ts';
import { OperatorRoles } from './operator-roles.ts';

/** Access and ID tokens; an issued token cannot be revoked, so it is short-lived (UI-2). */
const TOKEN_LIFETIME = Duration.minutes(15);

/** A working day: after it an operator must sign in again, even without a break. */
const SIGN_IN_LIFETIME = Duration.hours(8);

/** A rotated refresh token is still accepted for this long, because its answer may have been lost. */
const ROTATION_GRACE = Duration.seconds(10);

/** Operators, and the address of their sign-in page. */
export interface OperatorSignInProps {
  /** First label of the sign-in page's address; unique in the region over all AWS accounts. */
  readonly domainPrefix: string;
  /**
   * Address of the first operator, who is invited by e-mail.
   * @default - none; operators are added with the AWS command line
   */
  readonly operatorEmail?: string | undefined;
  /** Whether every operator needs a second factor, an authenticator app. */
  readonly mfa: OperatorMfa;
  /** @default - operators have passwords of the pool */
  readonly identityProvider?: OperatorIdentityProvider | undefined;
  readonly logRetentionDays: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * Sign-in of operators: a user pool without self-registration, managed login, and one public client that gets codes with PKCE for the
 * dashboard.
 */
export class OperatorSignIn extends Construct {
  /** Issuer of the tokens, without a trailing slash. */
  readonly issuer: string;
  /** Address of the sign-in page and of the token endpoint, without a trailing slash. */
  readonly signInUrl: string;
  readonly #pool: UserPool;
  readonly #mfa: OperatorMfa;
  readonly #company: { readonly provider: OperatorIdentityProvider; readonly roles: OperatorRoles } | undefined;

  constructor(scope: Construct, id: string, props: OperatorSignInProps) {
    super(scope, id);
    this.#mfa = props.mfa;
    this.#pool = new UserPool(this, 'Operators', {
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      // Required: managed login makes each operator set one up at the next sign-in.
      mfa: props.mfa === 'required' ? Mfa.REQUIRED : Mfa.OPTIONAL,
      // By default the second factor would be a text message.
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      userInvitation: {
        emailSubject: 'Your sign-in to the integration gateway',
        emailBody: 'You operate an integration gateway. Sign in as {username} with the temporary password {####}',
      },
      ...protection(props.removalPolicy),
    });
    this.issuer = this.#pool.userPoolProviderUrl;
    const domain = this.#pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: props.domainPrefix },
      // The default is the classic pages.
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    this.signInUrl = domain.baseUrl();
    const { identityProvider: provider, logRetentionDays, removalPolicy } = props;
    if (provider !== undefined) {
      const roles = new OperatorRoles(this, 'Roles', { pool: this.#pool, provider, logRetentionDays, removalPolicy });
      this.#company = { provider, roles };
    }
    if (props.operatorEmail !== undefined) this.#invite(props.operatorEmail);
    if (props.mfa === 'optional') {
      acknowledge(
        this.#pool,
        'AwsSolutions-COG2',
        'The deployer’s choice: each operator may turn the second factor on.',
      );
    }
    acknowledge(
      this.#pool,
      'AwsSolutions-COG3',
      'Threat protection needs the Plus plan, which has a price per operator.',
    );
    acknowledge(this.#pool, 'AwsSolutions-COG8', 'The Plus plan has a price per operator: the deployer’s choice.');
  }

  /**
   * Registers the dashboard, the only target of codes.
   * @param origin of the dashboard, without a trailing slash
   * @returns the client id
   */
  addDashboard(origin: string): string {
    const provider = this.#company?.provider;
    const client = this.#pool.addClient('Dashboard', {
      generateSecret: false,
      // By default, refresh by the plain API would be enabled, which rotation forbids.
      authFlows: { userSrp: true },
      oAuth: {
        // By default, the implicit grant would be enabled and codes would go to example.com.
        flows: { authorizationCodeGrant: true, implicitCodeGrant: false },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [origin + DASHBOARD_RETURN_PATHS.signedIn],
        logoutUrls: [origin + DASHBOARD_RETURN_PATHS.signedOut],
      },
      supportedIdentityProviders: [
        ...(provider === undefined ? [] : [UserPoolClientIdentityProvider.custom(provider.name)]),
        ...(provider?.passwords === false ? [] : [UserPoolClientIdentityProvider.COGNITO]),
      ],
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      accessTokenValidity: TOKEN_LIFETIME,
      idTokenValidity: TOKEN_LIFETIME,
      refreshTokenValidity: SIGN_IN_LIFETIME,
      refreshTokenRotationGracePeriod: ROTATION_GRACE,
    });
    if (this.#company !== undefined) client.node.addDependency(this.#company.roles.provider);
    // Without a style the sign-in page reports that it is not available.
    new CfnManagedLoginBranding(this, 'Branding', {
      userPoolId: this.#pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    return client.userPoolClientId;
  }

  /** Sets the issuer whose access tokens a function accepts. */
  setOperatorIssuer(fn: GatewayFunction, clientId: string): void {
    fn.setEnvironment(ENVIRONMENT.operatorIssuer, this.issuer);
    fn.setEnvironment(ENVIRONMENT.operatorClientId, clientId);
    fn.setEnvironment(ENVIRONMENT.operatorMfa, this.#mfa);
    if (this.#company !== undefined) fn.setEnvironment(ENVIRONMENT.operatorRoleClaim, 'required');
  }

  #invite(email: string): void {
    new CfnUserPoolUser(this, 'FirstOperator', {
      userPoolId: this.#pool.userPoolId,
      username: email,
      desiredDeliveryMediums: ['EMAIL'],
      userAttributes: [
        { name: 'email', value: email },
        { name: 'email_verified', value: 'true' },
      ],
    });
  }
}

/** Default of the first label of the sign-in page's address: the stack's name and the account, at most 63 characters. */
export function defaultDomainPrefix(scope: Construct): string {
  const { stackName, account } = Stack.of(scope);
  return `${stackName.toLowerCase().slice(0, 50)}-${account}`;
}
