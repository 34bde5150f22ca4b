import { expect, test } from 'vitest';
import { explainClientFault } from '../../../lambdas/gateway/integrations/client-fault.rules.ts';
import { google } from '../support/google.ts';

test.each([
  ['invalid_client', /secret/, /store it/],
  ['deleted_client', /deleted/, /Restore the client/],
  ['disabled_client', /disabled/, /appeal/],
  [
    'unauthorized_client',
    /refresh tokens of several of its connections, so the client was probably/,
    /Web application/,
  ],
  ['credentials_missing', /No OAuth client/, /Store client id/],
  ['redirect_uri_mismatch', /redirect URI/, /Register/],
  [
    'something_new',
    /several connections of this integration with "something_new", so its OAuth client is probably/,
    /Google Cloud console/,
  ],
  ['constructor', /"constructor"/, /Google Cloud console/],
])('%s is explained to the developer with what to do', (error, explanation, remedy) => {
  expect(explainClientFault(error, google).explanation).toMatch(explanation);
  expect(explainClientFault(error, google).remedy).toMatch(remedy);
});
