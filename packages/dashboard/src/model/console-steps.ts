import type { Provider } from '../gateway/library.ts';
import type { ReviewClass } from './scopes.ts';

/** One thing to do in the provider's console. */
export interface ConsoleStep {
  readonly title: string;
  readonly detail: string;
  /** Page of the console, where there is one. */
  readonly href: string | undefined;
  /** A value to paste there. */
  readonly copy: string | undefined;
}

/** What the steps depend on. */
export interface ConsoleFacts {
  readonly provider: Pick<Provider, 'displayName' | 'server' | 'console'>;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly strictest: ReviewClass;
  readonly audience: 'external' | 'internal';
  /** Whether the client is to be marked for AI agents. */
  readonly agentic?: boolean;
}

/** How to make an OAuth client of your own, step by step. */
export function consoleSteps(facts: ConsoleFacts): readonly ConsoleStep[] {
  return facts.provider.server.id === 'google' ? stepsAtGoogle(facts) : stepsElsewhere(facts);
}

function stepsElsewhere({ provider, redirectUri, scopes }: ConsoleFacts): readonly ConsoleStep[] {
  const { enableApiUrl, clientsUrl } = provider.console;
  return [
    ...(enableApiUrl === undefined
      ? []
      : [
          {
            title: 'Enable the API',
            detail: 'Without it, every call is refused.',
            href: enableApiUrl,
            copy: undefined,
          },
        ]),
    {
      title: `Create an OAuth client at ${provider.server.displayName}`,
      detail: 'Create a client with a client secret, for a server. Paste this as its redirect URI, exactly as shown.',
      href: clientsUrl,
      copy: redirectUri,
    },
    {
      title: 'Add the scopes to it, if the provider requires that',
      detail: 'Use the same scopes as here.',
      href: undefined,
      copy: scopes.join('\n'),
    },
  ];
}

/** Google, "Setting up OAuth 2.0". */
function stepsAtGoogle(facts: ConsoleFacts): readonly ConsoleStep[] {
  const { enableApiUrl, enableToolServerUrl, clientsUrl } = facts.provider.console;
  const agentic = facts.agentic === true;
  const steps: ConsoleStep[] = [
    {
      title: 'Choose or create a Google Cloud project',
      detail: 'Use one project for testing and another for production: a revocation affects every client of a project.',
      href: 'https://console.cloud.google.com/projectcreate',
      copy: undefined,
    },
    {
      title: 'Enable the API',
      detail: 'Without it, every call gets 403 accessNotConfigured.',
      href: enableApiUrl,
      copy: undefined,
    },
    ...(!agentic && facts.scopes.some((scope) => scope.endsWith('drive.file'))
      ? [
          {
            title: 'Enable the Google Picker API',
            detail: 'With drive.file, users choose files in Google’s Picker, which does not open without this API.',
            href: 'https://console.cloud.google.com/apis/library/picker.googleapis.com',
            copy: undefined,
          },
        ]
      : []),
    ...(agentic
      ? [
          {
            title: 'Enable the MCP server, too',
            detail: 'Use the same project. Without it, the first tool call gets 403.',
            href: enableToolServerUrl,
            copy: undefined,
          },
        ]
      : []),
    {
      title: 'Describe the app and choose its audience',
      detail:
        facts.audience === 'internal'
          ? 'Branding: name and support address. Authorized domains: the registrable domain of the redirect URI, such as example.com for gateway.example.com. Audience: Internal.'
          : 'Branding: name, support address, home page and privacy policy. Authorized domains: the registrable domain of each of these addresses and of the redirect URI, such as example.com for gateway.example.com. Audience: External; add test users while it is in Testing.',
      href: 'https://console.cloud.google.com/auth/branding',
      copy: undefined,
    },
    {
      title: 'Add the scopes under Data access',
      detail: 'Use the same scopes as here; Google compares them when it verifies the app.',
      href: 'https://console.cloud.google.com/auth/scopes',
      copy: facts.scopes.join('\n'),
    },
    {
      title: agentic
        ? 'Create a client of the type Web application, and mark it for agents'
        : 'Create a client of the type Web application',
      detail: agentic
        ? 'Select “Use this client for an AI-powered agent”. The mark cannot be set or removed later: a client without it needs a replacement. Paste this as an authorized redirect URI, exactly as shown.'
        : 'Paste this as an authorized redirect URI, exactly as shown.',
      href: clientsUrl,
      copy: facts.redirectUri,
    },
    {
      title: 'Add the origin, if your front end needs it',
      detail: 'The gateway does not need it; some libraries do. An authorized JavaScript origin has no path.',
      href: undefined,
      copy: originOf(facts.redirectUri),
    },
  ];
  if (facts.audience === 'external' && facts.strictest !== 'non-sensitive') {
    steps.push({
      title: 'Later: publish the app and have it verified',
      detail: 'Until then, at most 100 users can connect, and they see a warning.',
      href: 'https://console.cloud.google.com/auth/audience',
      copy: undefined,
    });
  }
  return steps;
}

/** Origin of an address, for the console's JavaScript origins. */
export function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
