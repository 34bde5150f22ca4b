import { describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { GatewayError, type Provider } from '../../../packages/client/src/index.ts';
import * as drafts from '../../../packages/dashboard/src/pages/new-integration/draft.ts';

const { appFacts, clientProblems, firstDraft, newIntegration, problemsOfStep, refusedFields } = drafts;
const DRIVE = fake<Provider>({
  name: 'google-drive',
  defaultScopes: ['drive.readonly'],
  recommendedScopes: ['drive.file'],
  server: { id: 'google', displayName: 'Google', hasTestingMode: true },
});
type Draft = drafts.Draft;
const DRAFT: Draft = { ...firstDraft(DRIVE, 'drive', ['google-drive']), scopes: ['drive.file'] };
const OWN: Draft = { ...DRAFT, source: 'own', clientId: ' id ', clientSecret: ' secret ', audience: 'internal' };

describe('an integration that is being described', () => {
  it('begins with the scopes that need the fewest reviews, and with test credentials where there are some', () => {
    expect(firstDraft(DRIVE, 'drive', [])).toMatchObject({ scopes: ['drive.file'], source: 'own' });
    expect(firstDraft(DRIVE, 'drive', ['google-calendar']).source).toBe('own');
    expect(DRAFT.source).toBe('test');
    expect(appFacts(DRAFT).usesTestCredentials).toBe(true);
  });

  it('goes back to the first field that the gateway refuses, and shows all of them', () => {
    const refusal = (code: string, problems: readonly { path: string; message: string }[] = []) =>
      new GatewayError(`The gateway refused the call (${code}): It says so.`, {
        ...{ code, status: 400, problems, requestId: 'request-1', connection: undefined, retryAfterSec: undefined },
        ...{ applied: undefined, mayHaveBeenApplied: false },
      });
    expect(
      refusedFields(
        refusal('invalid_body', [
          { path: 'credentials.client_secret', message: 'must not be empty' },
          { path: 'scopes[0]', message: 'is unknown' },
        ]),
      ),
    ).toEqual({ step: 2, problems: { clientSecret: 'must not be empty' } });
    expect(refusedFields(refusal('conflict'))).toEqual({ step: 0, problems: { uniqueKey: 'It says so.' } });
    expect(refusedFields(refusal('service_unavailable'))).toBeUndefined();
    expect(refusedFields(new Error('no network'))).toBeUndefined();
  });

  it('shows at its field what the provider refuses of the client', () => {
    const said = (verdict: string) => clientProblems({ verdict, error: undefined, message: 'Copy it again.' });
    expect(said('unknown_client_id')).toEqual({ clientId: 'Copy it again.' });
    expect(said('wrong_secret')).toEqual({ clientSecret: 'Copy it again.' });
    expect(said('refused')).toEqual({ clientId: 'Copy it again.' });
    for (const verdict of ['accepted', 'unreachable']) expect(said(verdict)).toEqual({});
  });

  it('an integration that is being described cannot have the id of another', () => {
    expect(problemsOfStep(DRAFT, 0, ['drive'])).toEqual({ uniqueKey: 'There is already an integration with this id.' });
  });

  it('sends no client, audience or status with test credentials', () => {
    expect(newIntegration({ ...OWN, source: 'test' })).toEqual({
      provider: 'google-drive',
      uniqueKey: 'drive',
      scopes: ['drive.file'],
      credentialsSource: 'test',
    });
  });

  it('sends the trimmed client with its own credentials', () => {
    const names = { publicName: ' Your files ', publicNames: { de: ' Ihre Dateien ', fr: ' ' } };
    expect(newIntegration({ ...OWN, ...names, displayName: ' My drive ' })).toMatchObject({
      displayName: 'My drive',
      publicName: 'Your files',
      publicNames: { de: 'Ihre Dateien' },
      credentialsSource: 'own',
      credentials: { clientId: 'id', clientSecret: 'secret' },
      audience: 'internal',
      publishingStatus: 'testing',
    });
  });

  it('GA-20: sends the mark for AI agents with its own client only', () => {
    expect(newIntegration({ ...OWN, agentic: true })).toMatchObject({ agentic: true });
    expect(newIntegration(OWN)).not.toHaveProperty('agentic');
    expect(newIntegration({ ...OWN, source: 'test', agentic: true })).not.toHaveProperty('agentic');
  });

  it('sends names by language that were typed, and no member where none was', () => {
    expect(newIntegration({ ...DRAFT, publicNames: { ja: 'ファイル', fr: ' ' } }).publicNames).toEqual({
      ja: 'ファイル',
    });
    expect(newIntegration({ ...DRAFT, publicNames: { fr: ' ' } })).not.toHaveProperty('publicNames');
  });

  it('an integration that is being described cannot leave a step that is not complete', () => {
    expect(problemsOfStep({ ...DRAFT, uniqueKey: '' }, 0, [])).toHaveProperty('uniqueKey');
    expect(problemsOfStep({ ...DRAFT, scopes: [] }, 1, [])).toHaveProperty('scopes');
    const empty = problemsOfStep({ ...OWN, clientId: ' ', clientSecret: ' ' }, 2, []);
    expect(Object.keys(empty)).toEqual(['clientId', 'clientSecret']);
    expect(problemsOfStep(DRAFT, 2, [])).toEqual({});
    expect(problemsOfStep(OWN, 3, [])).toEqual({});
  });
});
