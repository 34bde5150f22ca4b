import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { EVERYTHING_ON } from '../../../dev/support/option-samples.ts';
import { flatten, onlyResource, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';

const template = await synthesize();
const pool = onlyResource(template, 'AWS::Cognito::UserPool').Properties;
const client = onlyResource(template, 'AWS::Cognito::UserPoolClient').Properties;

describe('OperatorSignIn', () => {
  it('is a pool that nobody joins by themselves and that is hard to delete (UI-7)', () => {
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

  it('has one public client: codes only, sent to the dashboard only, and no telling who exists', () => {
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

  it('can be deleted with a trial', async () => {
    const trial = await synthesize(EVERYTHING_ON);
    expect(onlyResource(trial, 'AWS::Cognito::UserPool')).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { DeletionProtection: 'INACTIVE' },
    });
  });
});
