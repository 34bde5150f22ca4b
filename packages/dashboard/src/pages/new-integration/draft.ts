import {
  type ClientCheck,
  GatewayError,
  type NewIntegration,
  type Provider,
  type ProviderName,
  type PublicNames,
} from '../../gateway/library.ts';
import { describeError, problemOf } from '../../model/describe-error.ts';
import { integrationIdProblem } from '../../model/integration-id.ts';
import { givenNames } from '../../model/public-names.ts';
import type { AppFacts } from '../../model/scopes.ts';

/** The step in which the values of the provider's console are typed, counted from 0. */
export const CONSOLE_STEP = 2;

/** An integration as it is being described. */
export interface Draft {
  readonly provider: ProviderName;
  readonly source: 'test' | 'own';
  readonly uniqueKey: string;
  readonly displayName: string;
  readonly publicName: string;
  /** By language; those that are empty are not sent. */
  readonly publicNames: PublicNames;
  readonly audience: 'external' | 'internal';
  readonly publishingStatus: 'testing' | 'production';
  readonly scopes: readonly string[];
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether the own client is marked for AI agents at Google. */
  readonly agentic: boolean;
}

/** What the gateway has before an integration is made. */
export interface GatewayFacts {
  readonly providers: readonly Provider[];
  /** Ids of integrations. */
  readonly taken: readonly string[];
  /** Names of the providers that have test credentials. */
  readonly tryable: readonly string[];
}

/** What is wrong with a draft, by field; fields that are fine are absent. */
export type DraftProblems = { readonly [Field in keyof Draft]?: string };

/** The draft to begin with: the safest and shortest way to something that works. */
export function firstDraft(provider: Provider | undefined, uniqueKey: string, tryable: readonly string[]): Draft {
  return {
    provider: provider?.name ?? '',
    source: provider !== undefined && tryable.includes(provider.name) ? 'test' : 'own',
    uniqueKey,
    displayName: '',
    publicName: '',
    publicNames: {},
    audience: 'external',
    publishingStatus: provider?.server.hasTestingMode === false ? 'production' : 'testing',
    scopes: provider?.recommendedScopes ?? [],
    clientId: '',
    clientSecret: '',
    agentic: false,
  };
}

/** Problems of one step of the wizard, counted from 0. @param taken ids of other integrations */
export function problemsOfStep(draft: Draft, step: number, taken: readonly string[]): DraftProblems {
  if (step === 0) {
    const isTaken = taken.includes(draft.uniqueKey);
    const uniqueKey = isTaken ? 'There is already an integration with this id.' : integrationIdProblem(draft.uniqueKey);
    return uniqueKey === undefined ? {} : { uniqueKey };
  }
  if (step === 1) return draft.scopes.length === 0 ? { scopes: 'Choose at least one scope.' } : {};
  if (step === CONSOLE_STEP && draft.source === 'own') {
    return {
      ...(draft.clientId.trim() === '' ? { clientId: 'Paste the client ID from the step above.' } : {}),
      ...(draft.clientSecret.trim() === '' ? { clientSecret: 'Paste the client secret that belongs to it.' } : {}),
    };
  }
  return {};
}

/** Fields of the draft by the names that the gateway refuses them under, and the step that each is in. */
const REFUSED_FIELDS: readonly (readonly [path: string, step: number, field: keyof Draft])[] = [
  ['unique_key', 0, 'uniqueKey'],
  ['display_name', 0, 'displayName'],
  ['public_name', 0, 'publicName'],
  ['scopes', 1, 'scopes'],
  ['credentials.client_id', CONSOLE_STEP, 'clientId'],
  ['credentials.client_secret', CONSOLE_STEP, 'clientSecret'],
  // As the check of a client names them.
  ['client_id', CONSOLE_STEP, 'clientId'],
  ['client_secret', CONSOLE_STEP, 'clientSecret'],
];

/** The fields that the gateway refused, and the first step to go back to; undefined where the refusal is about none. */
export function refusedFields(error: unknown): { readonly step: number; readonly problems: DraftProblems } | undefined {
  const isTaken = error instanceof GatewayError && error.code === 'conflict';
  const found = REFUSED_FIELDS.flatMap(([path, step, field]) => {
    const problem = isTaken && field === 'uniqueKey' ? describeError(error).message : problemOf(error, path);
    return problem === undefined ? [] : [{ step, field, problem }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  return { step: first.step, problems: Object.fromEntries(found.map(({ field, problem }) => [field, problem])) };
}

/** What a provider's answer about the client says of its two fields; nothing where it may be used. */
export function clientProblems({ verdict, message }: ClientCheck): Pick<DraftProblems, 'clientId' | 'clientSecret'> {
  switch (verdict) {
    case 'wrong_secret':
      return { clientSecret: message };
    case 'unknown_client_id':
    case 'refused':
      return { clientId: message };
    default:
      return {};
  }
}

/** The facts that the warnings about scopes depend on. */
export function appFacts(draft: Draft): AppFacts {
  const { audience, publishingStatus, source } = draft;
  return { audience, publishingStatus, usesTestCredentials: source === 'test' };
}

/** The request that makes the integration. */
export function newIntegration(draft: Draft): NewIntegration {
  const publicNames = givenNames(draft.publicNames);
  return {
    provider: draft.provider,
    uniqueKey: draft.uniqueKey,
    scopes: draft.scopes,
    ...(draft.displayName.trim() === '' ? {} : { displayName: draft.displayName.trim() }),
    ...(draft.publicName.trim() === '' ? {} : { publicName: draft.publicName.trim() }),
    ...(publicNames === undefined ? {} : { publicNames }),
    ...(draft.source === 'test'
      ? { credentialsSource: 'test' }
      : {
          credentialsSource: 'own',
          credentials: { clientId: draft.clientId.trim(), clientSecret: draft.clientSecret.trim() },
          audience: draft.audience,
          publishingStatus: draft.publishingStatus,
          ...(draft.agentic ? { agentic: true } : {}),
        }),
  };
}
