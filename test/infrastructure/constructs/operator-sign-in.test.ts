import { runInNewContext } from 'node:vm';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { EVERYTHING_ON, OPTION_SAMPLES } from '../../../dev/support/option-samples.ts';
import { flatten, onlyResource, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';

const template = await synthesize();
const pool = onlyResource(template, 'AWS::Cognito::UserPool').Properties;
const client = onlyResource(template, 'AWS::Cognito::UserPoolClient').Properties;

describe('OperatorSignIn', () => {
  it('OperatorSignIn is a pool that nobody joins by themselves and that is hard to delete (UI-7)', () => {
    expect(pool).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UserPoolTier: 'ESSENTIALS',
      DeletionProtection: 'ACTIVE',
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
    });
  });

  it('ST-30: lets the deployer leave the second factor to each operator, and shows it to the function and the operator', async () => {
    const left = await synthesize({ operatorMfa: 'optional' });
    left.hasResourceProperties('AWS::Cognito::UserPool', { MfaConfiguration: 'OPTIONAL' });
    left.hasOutput('OperatorMfa', { Value: 'optional' });
    left.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ OPERATOR_MFA: 'optional' }) },
    });
    await expect(synthesize({ operatorMfa: 'off' })).rejects.toThrow('operatorMfa');
  });

  it('AK-17: asks for long passwords and for an app, never a text message, as second factor', () => {
    expect(pool).toMatchObject({
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      Policies: {
        PasswordPolicy: {
          MinimumLength: 14,
          RequireLowercase: true,
          RequireUppercase: true,
          RequireNumbers: true,
          RequireSymbols: true,
        },
      },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    });
  });

  it('OperatorSignIn has one public client: codes only, sent to the dashboard only, and no telling who exists', () => {
    expect(client).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      SupportedIdentityProviders: ['COGNITO'],
      PreventUserExistenceErrors: 'ENABLED',
      EnableTokenRevocation: true,
    });
    const origin = 'https://<GatewayDashboardSiteDistribution.DomainName>';
    expect([client.CallbackURLs, client.LogoutURLs].flat().map(flatten)).toEqual([
      `${origin}/signed-in`,
      `${origin}/signed-out`,
    ]);
  });

  it('gives short access tokens, rotates refresh tokens and ends a sign-in after a working day (UI-2)', () => {
    expect(client).toMatchObject({
      AccessTokenValidity: 15,
      IdTokenValidity: 15,
      RefreshTokenValidity: 480,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
      // Cognito refuses rotation alongside ALLOW_REFRESH_TOKEN_AUTH, which it also assumes where nothing is said.
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'],
    });
  });

  it('shows the newer sign-in pages, with a style, without which they are not available', () => {
    const domain = onlyResource(template, 'AWS::Cognito::UserPoolDomain').Properties;
    expect(domain.ManagedLoginVersion).toBe(2);
    expect(flatten(domain.Domain)).toBe('integrationgateway-<AWS::AccountId>');
    const branding = onlyResource(template, 'AWS::Cognito::ManagedLoginBranding').Properties;
    expect(branding.UseCognitoProvidedValues).toBe(true);
    expect(flatten(branding.ClientId)).toBe('<GatewayDashboardSignInOperatorsDashboard>');
  });

  it('invites the first operator once, where one is named', async () => {
    expect(resourcesOf(template, 'AWS::Cognito::UserPoolUser')).toEqual({});
    const inviting = await synthesize(EVERYTHING_ON);
    expect(onlyResource(inviting, 'AWS::Cognito::UserPoolUser').Properties).toMatchObject({
      Username: 'first.operator@example.com',
      DesiredDeliveryMediums: ['EMAIL'],
      UserAttributes: [
        { Name: 'email', Value: 'first.operator@example.com' },
        { Name: 'email_verified', Value: 'true' },
      ],
    });
    expect(onlyResource(inviting, 'AWS::Cognito::UserPoolDomain').Properties.Domain).toBe('operators');
  });

  it('OperatorSignIn can be deleted with a trial', async () => {
    const trial = await synthesize(EVERYTHING_ON);
    expect(onlyResource(trial, 'AWS::Cognito::UserPool')).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { DeletionProtection: 'INACTIVE' },
    });
  });

  describe('with a company’s sign-in', () => {
    const [oidcOptions = {}, samlOptions = {}] = OPTION_SAMPLES.operatorIdentityProvider;
    const COMPANY = 'AWS::Cognito::UserPoolIdentityProvider';

    it('names the client secret only by where it is, and maps e-mail address and groups', async () => {
      const made = await synthesize(oidcOptions);
      expect(onlyResource(made, COMPANY).Properties).toMatchObject({
        ProviderName: 'Company',
        ProviderType: 'OIDC',
        ProviderDetails: {
          client_id: 'gateway-dashboard',
          client_secret:
            '{{resolve:secretsmanager:arn:aws:secretsmanager:us-east-1:111122223333:secret:gateway/operators-AbCdEf:SecretString:client_secret::}}',
          oidc_issuer: 'https://login.example.com',
          authorize_scopes: 'openid email profile',
        },
        AttributeMapping: { email: 'email', profile: 'groups' },
      });
    });

    it('takes SAML metadata instead, and offers no password unless the options say so', async () => {
      const saml = await synthesize(samlOptions);
      expect(onlyResource(saml, COMPANY).Properties).toMatchObject({
        ProviderType: 'SAML',
        ProviderDetails: { MetadataURL: 'https://login.example.com/saml/metadata' },
      });
      const offered = (made: typeof saml) =>
        onlyResource(made, 'AWS::Cognito::UserPoolClient').Properties.SupportedIdentityProviders;
      expect(offered(saml)).toEqual(['Company']);
      expect(offered(await synthesize(oidcOptions))).toEqual(['Company', 'COGNITO']);
    });

    it('makes the client after the provider, and calls the function before tokens', async () => {
      const made = await synthesize(oidcOptions);
      const client = onlyResource(made, 'AWS::Cognito::UserPoolClient');
      expect([client.DependsOn].flat()).toContain(Object.keys(resourcesOf(made, COMPANY))[0]);
      expect(onlyResource(made, 'AWS::Cognito::UserPool').Properties.LambdaConfig).toMatchObject({
        PreTokenGenerationConfig: { LambdaVersion: 'V2_0' },
      });
      made.hasResourceProperties('AWS::Lambda::Permission', { Principal: 'cognito-idp.amazonaws.com' });
      expect(resourcesOf(template, COMPANY)).toEqual({});
    });

    it('a stack with a company’s sign-in has functions that refuse tokens without a role, as the pool gives when its function is detached', async () => {
      const has = { Environment: { Variables: Match.objectLike({ OPERATOR_ROLE_CLAIM: 'required' }) } };
      (await synthesize(samlOptions)).hasResourceProperties('AWS::Lambda::Function', has);
      template.resourcePropertiesCountIs('AWS::Lambda::Function', has, 0);
    });

    it.each([
      ['neither oidc nor saml', { saml: undefined }],
      ['both', { oidc: { issuer: 'https://a.example', clientId: 'a', clientSecretArn: 'none' } }],
      ['a group for both roles', { viewerGroups: ['gateway-operators'] }],
      ['no group', { operatorGroups: [] }],
      ['a group with a comma', { operatorGroups: ['a,b'] }],
      ['the name of the pool itself', { name: 'Cognito' }],
    ])('refuses %s', async (_, changes) => {
      const operatorIdentityProvider = { ...samlOptions.operatorIdentityProvider, ...changes };
      await expect(synthesize({ operatorIdentityProvider })).rejects.toThrow('operatorIdentityProvider');
    });

    it('refuses a client secret that is not in Secrets Manager', async () => {
      const { operatorIdentityProvider: given } = oidcOptions;
      const operatorIdentityProvider = { ...given, oidc: { ...given?.oidc, clientSecretArn: 'company-secret' } };
      await expect(synthesize({ operatorIdentityProvider })).rejects.toThrow('clientSecretArn');
    });
  });

  describe('the function before tokens', () => {
    const ROLES = {
      provider: 'Company',
      operatorGroups: ['gateway operators', 'ops'],
      viewerGroups: ['gateway-viewers'],
      secondFactor: true,
    };
    const FEDERATED = { 'cognito:user_status': 'EXTERNAL_PROVIDER' };

    /** Claims of the access token for a person. */
    async function claimsOf(request: object, { userName = 'Company_00u1', passwords = false } = {}): Promise<unknown> {
      const made = await synthesize(OPTION_SAMPLES.operatorIdentityProvider[0]);
      const code = Object.values(resourcesOf(made, 'AWS::Lambda::Function'))
        .map(({ Properties }) => Reflect.get(Object(Properties.Code), 'ZipFile'))
        .find((one) => typeof one === 'string');
      const exports: { handler?: (event: object) => Promise<{ response: object }> } = {};
      const process = { env: { ROLES: JSON.stringify({ ...ROLES, passwords }) } };
      runInNewContext(String(code), { exports, process });
      const answer = await exports.handler?.({ userName, request });
      const details = Reflect.get(answer?.response ?? {}, 'claimsAndScopeOverrideDetails');
      const [access, id] = [details.accessTokenGeneration, details.idTokenGeneration];
      expect(access).toEqual(id);
      return { ...access.claimsToAddOrOverride };
    }

    it.each([
      ['[gateway+operators,staff]', 'operator'],
      ['[gateway%20operators]', 'operator'],
      ['["staff","gateway operators"]', 'operator'],
      ['ops', 'operator'],
      ['staff, gateway-viewers', 'viewer'],
      ['[gateway-viewers,ops]', 'operator'],
      ['[gateway,operators]', 'none'],
      ['ops2', 'none'],
      ['["gateway-viewers,ops"]', 'none'],
      ['', 'none'],
      [undefined, 'none'],
      ['%', 'none'],
    ])('reads the groups %j as the role %s', async (profile, role) => {
      const userAttributes = { ...FEDERATED, profile };
      expect(await claimsOf({ userAttributes })).toEqual({ gateway_role: role, gateway_second_factor: 'true' });
    });

    it('reads no groups of a user of another provider, or of the pool itself', async () => {
      const userAttributes = { ...FEDERATED, profile: 'ops' };
      expect(await claimsOf({ userAttributes }, { userName: 'Other_1' })).toMatchObject({ gateway_role: 'none' });
      const own = { 'cognito:user_status': 'CONFIRMED', profile: 'ops' };
      expect(await claimsOf({ userAttributes: own })).toEqual({ gateway_role: 'none' });
    });

    it('reads the groups of a user whose name Cognito sends in lower case', async () => {
      const userAttributes = { ...FEDERATED, profile: 'ops' };
      expect(await claimsOf({ userAttributes }, { userName: 'company_00u1' })).toMatchObject({
        gateway_role: 'operator',
      });
    });

    it('lets the pool’s own users in where passwords stay, as members of its group viewer or as operators', async () => {
      const userAttributes = { 'cognito:user_status': 'CONFIRMED' };
      const roleOf = (groupsToOverride: string[]) =>
        claimsOf({ userAttributes, groupConfiguration: { groupsToOverride } }, { passwords: true });
      expect(await roleOf([])).toEqual({ gateway_role: 'operator' });
      expect(await roleOf(['viewer'])).toEqual({ gateway_role: 'viewer' });
    });
  });
});
