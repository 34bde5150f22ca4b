import { expect, test } from 'vitest';
import { explainClientFault, explainRefusal } from '../../../lambdas/gateway/integrations/client-fault.rules.ts';
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

test('where the console of a server has no name, the remedy names the server', () => {
  const { consoleName: _, ...server } = google;
  const remedy = 'Check the OAuth client of this integration at Google.';
  expect(explainClientFault('something_new', server).remedy).toBe(remedy);
});

test.each([
  [
    'unauthorized_client',
    /^Google refuses the refresh token .*\(unauthorized_client\): it was probably issued to another/,
  ],
  ['something_new', /^Google refuses to renew the token .*\("something_new"\).* The gateway keeps trying;/],
])('a caller whose connection alone is refused with %s reads that and what to do', (error, words) => {
  expect(explainRefusal(error, google)).toMatch(words);
  expect(explainRefusal(error, google)).toMatch(/No other connection is affected.*ask the user to connect again\.$/);
});
