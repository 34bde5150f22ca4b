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

const NOT_RENEWED = 'Google does not renew the token of this connection';

test.each([
  [
    'unauthorized_client',
    ' (unauthorized_client): the refresh token was probably issued to another',
    /Restore the OAuth/,
  ],
  ['invalid_scope', ' (invalid_scope): the scopes', /scopes of the app in the Google Cloud console/],
  ['org_internal', ' (org_internal): the app admits only accounts', /audience to External .* ask Google again \(POST /],
  ['restricted_client', ' (restricted_client): Google does not let', /verification .* ask Google again \(POST /],
])('a refusal of one connection with %s is explained with what to do', (error, words, remedy) => {
  const said = explainRefusal(error, google);
  expect(said.explanation.startsWith(NOT_RENEWED + words)).toBe(true);
  expect(said.remedy).toMatch(remedy);
});

test.each([
  ['something_new', `${NOT_RENEWED} and answers "something_new".`],
  ['constructor', `${NOT_RENEWED} and answers "constructor".`],
  ['http_403', `${NOT_RENEWED} and answers HTTP 403.`],
  ['unusable_token_response', `${NOT_RENEWED}: its answer holds no token that can be used.`],
])('%s is quoted, and nothing is guessed of it', (error, explanation) => {
  const said = explainRefusal(error, google);
  expect(said.explanation).toBe(explanation);
  expect(said.remedy).toMatch(
    /^Look up what Google says of it and check the OAuth client in the Google Cloud console;/,
  );
  expect(`${said.explanation} ${said.remedy}`).not.toMatch(/probably|\{provider|\{console/);
});
