import { Duration } from 'aws-cdk-lib';
import {
  AuthorizationType,
  type Integration,
  LambdaIntegration,
  ResponseTransferMode,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { type CoreFunction, GRANT_PATHS, SIGNED_PREFIX } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayFunction } from './function.ts';

/** Lambda's maximum for a streamed integration; the 29 s limit applies to buffered ones only. */
const STREAM_TIMEOUT = Duration.minutes(15);

/** API Gateway's maximum for buffered responses, stated so that a change of its default changes nothing here. */
const BUFFERED_TIMEOUT = Duration.seconds(29);

/** The functions behind routes of every gateway: not those that schedules, rules and stacks invoke or only features ask for. */
export type RoutedFunction = Exclude<CoreFunction, 'refresh' | 'core' | 'inbox' | 'events' | 'roll-up' | 'declared'>;

/**
 * The function for each path, for every method; those of `GRANT_PATHS` come in addition. API Gateway prefers literal segments to `{name}`
 * and that to `{name+}`; a folder of the tree without an entry would answer with API Gateway's own 403, so each has one.
 */
const ROUTES: Readonly<Record<string, RoutedFunction>> = {
  '/': 'management',
  '/{proxy+}': 'management',
  '/proxy': 'proxy',
  '/proxy/{proxy+}': 'proxy',
  '/oauth': 'management',
  '/oauth/{proxy+}': 'management',
  '/oauth/callback': 'oauth-callback',
  '/oauth/connect': 'management',
  '/oauth/connect/{integrationId}': 'connect',
  '/connect': 'connect',
  '/connect/{proxy+}': 'management',
  '/connect/session': 'connect',
  '/connect/authorizations': 'connect',
  '/connect/sessions': 'management',
  '/connect/sessions/{proxy+}': 'management',
  '/connections': 'management',
};

/** The same for callers whose signature API Gateway checks. */
const SIGNED_ROUTES: Readonly<Record<string, RoutedFunction>> = {
  [SIGNED_PREFIX]: 'management',
  [`${SIGNED_PREFIX}/{proxy+}`]: 'management',
  [`${SIGNED_PREFIX}/proxy`]: 'proxy',
  [`${SIGNED_PREFIX}/proxy/{proxy+}`]: 'proxy',
  [`${SIGNED_PREFIX}/connect`]: 'management',
  [`${SIGNED_PREFIX}/connect/{proxy+}`]: 'management',
  [`${SIGNED_PREFIX}/connect/sessions`]: 'management',
  [`${SIGNED_PREFIX}/connect/sessions/{proxy+}`]: 'management',
  [`${SIGNED_PREFIX}/connections`]: 'management',
};

/** The functions behind the routes of a gateway. */
export type RoutedFunctions = Readonly<Record<RoutedFunction, GatewayFunction>> & {
  /** Where a feature takes messages. */
  readonly inbox?: GatewayFunction | undefined;
};

/**
 * Adds every route of the gateway: the proxy's are streamed, the others buffered.
 *
 * @param iamCallers whether IAM roles have routes
 */
export function addRoutes(api: RestApi, functions: RoutedFunctions, iamCallers: boolean): void {
  const integrations: Readonly<Record<RoutedFunction, Integration>> = {
    proxy: streamed(functions.proxy),
    'oauth-callback': buffered(functions['oauth-callback']),
    connect: buffered(functions.connect),
    management: buffered(functions.management),
    grants: buffered(functions.grants),
  };
  for (const [path, functionName] of Object.entries(ROUTES)) {
    api.root.resourceForPath(path).addMethod('ANY', integrations[functionName]);
  }
  if (functions.inbox !== undefined) {
    const folder = api.root.resourceForPath('/inbox');
    folder.addMethod('ANY', integrations.management);
    folder.resourceForPath('{proxy+}').addMethod('ANY', buffered(functions.inbox));
  }
  for (const [path, functionName] of Object.entries(iamCallers ? SIGNED_ROUTES : {})) {
    const options = { authorizationType: AuthorizationType.IAM };
    api.root.resourceForPath(path).addMethod('ANY', integrations[functionName], options);
  }
  for (const [path, methods] of Object.entries(GRANT_PATHS)) {
    for (const method of methods === 'every method' ? ['ANY'] : methods) {
      api.root.resourceForPath(path).addMethod(method, integrations.grants);
      if (!iamCallers) continue;
      const options = { authorizationType: AuthorizationType.IAM };
      api.root.resourceForPath(`${SIGNED_PREFIX}${path}`).addMethod(method, integrations.grants, options);
    }
  }
}

function streamed(fn: GatewayFunction): Integration {
  return new LambdaIntegration(fn.invoked, {
    responseTransferMode: ResponseTransferMode.STREAM,
    timeout: STREAM_TIMEOUT,
    scopePermissionToMethod: false,
  });
}

function buffered(fn: GatewayFunction): Integration {
  return new LambdaIntegration(fn.invoked, { timeout: BUFFERED_TIMEOUT, scopePermissionToMethod: false });
}

/** How a function answers. */
export type RouteMode = 'streamed' | 'buffered';

export function integrationOf(fn: GatewayFunction, mode: RouteMode): Integration {
  return mode === 'streamed' ? streamed(fn) : buffered(fn);
}
