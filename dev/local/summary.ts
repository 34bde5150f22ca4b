/** The last lines of `npm start`: all addresses, two calls to paste, and the next steps. */
import { resolve } from 'node:path';
import { allProviders } from '../../lambdas/gateway/providers/index.ts';
import { LOCAL_ROLE, localRoleArn } from './front/aws-callers.ts';
import type { LocalGateway } from './local-gateway.ts';
import { defaultDataDir } from './options.ts';

/** The gateway's members the summary speaks of. */
export type SummaryInput = Pick<
  LocalGateway,
  | 'gatewayUrl'
  | 'dashboardAddress'
  | 'simulatorUrl'
  | 'simulatorControlUrl'
  | 'simulatorPageAddress'
  | 'secretKey'
  | 'connections'
  | 'dataDir'
  | 'inspectors'
> &
  Partial<Pick<LocalGateway, 'app' | 'awsEndpoint' | 'callers' | 'credentials' | 'iamCallers'>> & {
    readyAfterMs: number;
    /** Folder of the app that runs, as it was given. */
    appFolder?: string | undefined;
    /** Where proxied calls go. @default - the gateway's address */
    proxyUrl?: string;
  };

const FIRST_PROVIDER = allProviders()[0]?.id ?? '';
/** First integrations are named after their provider. */
const FIRST_CALLS: ReadonlyMap<string, string> = new Map(allProviders().map(({ id, firstCall }) => [id, firstCall]));

/** The summary as text. @param environment that of the shell, which may name another gateway */
export function summary(gateway: SummaryInput, environment: Readonly<Record<string, string | undefined>> = {}): string {
  const {
    gatewayUrl,
    proxyUrl = gatewayUrl,
    dashboardAddress,
    simulatorUrl,
    simulatorControlUrl,
    secretKey,
    dataDir,
  } = gateway;
  const dashboard =
    dashboardAddress === null
      ? []
      : [`  Dashboard    ${dashboardAddress}   (opens once, in the browser that you sign in with)`];
  const simulator =
    simulatorUrl === null
      ? []
      : [
          `  Simulator    ${simulatorUrl}   (stands in for Google: invented accounts and files)`,
          `  Its page     ${gateway.simulatorPageAddress}   (look into its data and switch faults on; opens once)`,
          `  Its control  ${simulatorControlUrl}/   (clock, faults, grants: see its README)`,
        ];
  return [
    `The gateway is ready after ${(gateway.readyAfterMs / 1000).toFixed(1)} s.`,
    '',
    `  Gateway      ${gatewayUrl}`,
    ...(proxyUrl === gatewayUrl
      ? []
      : [`  Proxy        ${proxyUrl}   (proxied calls; the gateway's address takes them, too)`]),
    ...dashboard,
    ...simulator,
    `  Secret key   ${secretKey || '(the template makes none)'}`,
    ...roleCredentials(gateway),
    ...gateway.inspectors.map(
      ({ functionName, port }) =>
        `  Inspector    127.0.0.1:${port}   (${functionName}; attach a debugger as CONTRIBUTING.md says)`,
    ),
    `  Data         ${dataDir}   (start over: ${startOver(dataDir, gateway.appFolder)})`,
    ...otherGateway(gatewayUrl, environment.GATEWAY_BASE_URL),
    '',
    ...appLines(gateway),
    ...(gateway.connections.length > 0 ? sampleCalls(gateway) : firstIntegration(gateway)),
    `${gateway.connections.length > 0 ? 'Connect another account' : 'Then connect an account'}: run this and open the returned connect_link in a browser.`,
    '',
    `  ${sessionCall(gateway)}`,
    '',
    'Not emulated: TLS, WAF, throttling and quotas, cold starts, memory and bandwidth limits.',
    'AWS calls are checked against the stack’s policies; refused calls are printed in red, and the run then ends with an error.',
    'Press Ctrl-C to stop. Function logs and lifecycle events follow.',
    '',
  ].join('\n');
}

/** What of an app runs here, and how to run its functions. */
function appLines({ app, awsEndpoint = '', credentials, connections }: SummaryInput): string[] {
  if (app === undefined || credentials === undefined) return [];
  const { accessKeyId, secretAccessKey } = credentials.operator;
  const [first] = connections;
  const payload = quoted(JSON.stringify({ connectionId: first?.connection_id ?? '…' }));
  const signed = `curl --aws-sigv4 aws:amz:us-east-1:lambda --user ${quoted(`${accessKeyId}:${secretAccessKey}`)}`;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
  return [
    ...list(
      'The app’s resources were rolled back, as CloudFormation would:',
      app.failure === undefined ? [] : [app.failure],
    ),
    ...list(
      'Functions of the app, with an example of a payload:',
      app.functions.map(
        (name) => `${signed} ${quoted(`${awsEndpoint}/2015-03-31/functions/${name}/invocations`)} -d ${payload}`,
      ),
    ),
    ...list('Other values than in the template:', app.replaced),
    ...list('In the template, and not run here:', app.notRun),
  ];
}

/** Credentials to sign with, where roles can call. They end with this run. */
function roleCredentials({ gatewayUrl, iamCallers, callers }: SummaryInput): string[] {
  if (iamCallers !== true || callers === undefined) return [];
  const { accessKeyId, secretAccessKey, sessionToken = '' } = callers.issue({ role: LOCAL_ROLE }).credentials;
  return [
    `  IAM role     ${localRoleArn(LOCAL_ROLE)}   (register it: npm run gateway -- keys register-role; calls go to ${gatewayUrl}/iam)`,
    `               export AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${quoted(secretAccessKey)}`,
    `               export AWS_SESSION_TOKEN=${quoted(sessionToken)}`,
  ];
}

/** Warns where the shell names another gateway, to which commands and code would be sent. */
function otherGateway(gatewayUrl: string, named: string | undefined): string[] {
  if (named === undefined || named === '' || named.replace(/\/+$/, '') === gatewayUrl) return [];
  return [
    '',
    `GATEWAY_BASE_URL is ${named} in this shell: npm run gateway, and code that reads it, talk to that gateway and not to`,
    'this one. For this one: unset GATEWAY_BASE_URL GATEWAY_SECRET_KEY',
  ];
}

/** The command that erases this data folder and no other. */
function startOver(dataDir: string, appFolder: string | undefined): string {
  const app = appFolder === undefined ? '' : ` --app ${quoted(appFolder)}`;
  const data = dataDir === resolve(defaultDataDir(appFolder)) ? '' : ` --data ${quoted(dataDir)}`;
  return `npm start --${app}${data} --fresh`;
}

function sampleCalls({ gatewayUrl, proxyUrl = gatewayUrl, secretKey, connections }: SummaryInput): string[] {
  const calls = connections.flatMap(({ integration_id, connection_id }) => {
    const firstCall = FIRST_CALLS.get(integration_id);
    if (firstCall === undefined) return [];
    const path = `/proxy${firstCall}`;
    const headers = [
      `Authorization: Bearer ${secretKey}`,
      `Provider-Config-Key: ${integration_id}`,
      `Connection-Id: ${connection_id}`,
    ];
    return [`  curl ${quoted(proxyUrl + path)} ${headers.map((header) => `-H ${quoted(header)}`).join(' ')}`, ''];
  });
  return calls.length === 0 ? [] : ['Calls to paste:', '', ...calls];
}

function firstIntegration({ gatewayUrl, secretKey }: SummaryInput): string[] {
  const body = JSON.stringify({ provider: FIRST_PROVIDER, unique_key: FIRST_PROVIDER });
  return [
    'There is no connection yet. First create an integration with the test credentials (client_id and client_secret of the',
    `--google-endpoints file; the client's redirect URI must be ${gatewayUrl}/oauth/callback):`,
    '',
    `  ${postCall(`${gatewayUrl}/integrations/quickstart`, secretKey, body)}`,
    '',
  ];
}

function sessionCall({ gatewayUrl, secretKey, connections }: SummaryInput): string {
  const integrationId = connections[0]?.integration_id ?? FIRST_PROVIDER;
  const body = JSON.stringify({ end_user: { id: 'second-user' }, allowed_integrations: [integrationId] });
  return postCall(`${gatewayUrl}/connect/sessions`, secretKey, body);
}

function postCall(url: string, secretKey: string, body: string): string {
  const headers = [`Authorization: Bearer ${secretKey}`, 'Content-Type: application/json'];
  return `curl -X POST ${quoted(url)} ${headers.map((header) => `-H ${quoted(header)}`).join(' ')} -d ${quoted(body)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
