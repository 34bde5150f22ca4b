import { expect, test } from 'vitest';
import { explainClientFault } from '../../../lambdas/shared/domain/client-fault.ts';

test.each([
  ['invalid_client', /secret/, /store it/],
  ['deleted_client', /deleted/, /Restore the client/],
  ['unauthorized_client', /refresh tokens/, /Web application/],
  ['credentials_missing', /No OAuth client/, /Store client id/],
  ['redirect_uri_mismatch', /redirect_uri_mismatch/, /Google Cloud console/],
])('%s is explained to the developer with what to do', (error, explanation, remedy) => {
  expect(explainClientFault(error).explanation).toMatch(explanation);
  expect(explainClientFault(error).remedy).toMatch(remedy);
});
