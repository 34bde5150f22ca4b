import type { SimulatorState } from '../state/store.ts';
import type { ApiFailure } from './envelope.ts';

/** Why a Cloud project may not use a service, or nothing: all are enabled until a control request or a seed says otherwise. */
export function serviceFailure(
  { agents }: Pick<SimulatorState, 'agents'>,
  project: string,
  service: string,
): ApiFailure | undefined {
  if (agents.disabledServices.get(project)?.has(service) !== true) return undefined;
  const url = `https://console.developers.google.com/apis/api/${service}/overview?project=${project}`;
  return {
    code: 403,
    reason: 'accessNotConfigured',
    message: `${service} has not been used in project ${project} before or it is disabled. Enable it by visiting ${url} then retry.`,
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'SERVICE_DISABLED',
        domain: 'googleapis.com',
        metadata: { service, consumer: `projects/${project}`, activationUrl: url },
      },
    ],
  };
}
