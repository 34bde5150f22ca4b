/** The environment of a function process: built from nothing, so that no setting of the developer's shell leaks in. */
import { randomBytes } from 'node:crypto';
import type { CredentialBook } from '../aws/credentials.ts';
import { isPython, type LocalFunction } from '../template/functions.ts';

/** Addresses and paths that differ from AWS. */
export interface FunctionSettings {
  region: string;
  /** `127.0.0.1:<port>` of the child's own Runtime API. */
  runtimeApi: string;
  /** Every AWS service but DynamoDB. */
  awsEndpoint: string;
  dynamoDbEndpoint: string;
  /** Where each function's credentials are. */
  credentials: Pick<CredentialBook, 'ofFunction'>;
  /** An empty file: no profile of the developer may reach an SDK client. */
  emptyConfigFile: string;
  /** Values that replace variables the function has in the template, and nothing else. */
  overrides: Readonly<Record<string, string>>;
}

/** Lines are logged as they are printed, and nothing is written into the function's code. */
const PYTHON_VARIABLES = { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' };

/** Builds the variables of one child. Pure but for the log stream's random name. */
export function functionEnvironment(fn: LocalFunction, settings: FunctionSettings): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken = '' } = settings.credentials.ofFunction(fn);
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
    // Never the developer's, and never none: the SDK asks for it at its start, and without HOME a user id that is in no
    // passwd file has no home. The one of Lambda's own user, which does not exist here.
    HOME: '/home/sbx_user1051',
    ...overriddenVariables(fn.environment, settings.overrides),
    _HANDLER: fn.handler,
    LAMBDA_TASK_ROOT: fn.codeFolder,
    AWS_LAMBDA_RUNTIME_API: settings.runtimeApi,
    ...(isPython(fn.runtime) ? PYTHON_VARIABLES : { AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true' }),
    AWS_EXECUTION_ENV: `AWS_Lambda_${fn.runtime}`,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `local/[$LATEST]${randomBytes(16).toString('hex')}`,
    AWS_LAMBDA_LOG_FORMAT: fn.logFormat,
    AWS_REGION: settings.region,
    AWS_DEFAULT_REGION: settings.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_CONFIG_FILE: settings.emptyConfigFile,
    AWS_SHARED_CREDENTIALS_FILE: settings.emptyConfigFile,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: settings.awsEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: settings.dynamoDbEndpoint,
    // The SDK repeats it in User-Agent, so that a test's proxy can identify the caller.
    AWS_SDK_UA_APP_ID: fn.displayName,
  };
}

/** The template's variables, with those that have an override replaced; an override never adds a variable. */
function overriddenVariables(
  variables: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, overrides[name] ?? value]));
}
