import type { ClientSecretPlace } from '../../../lambdas/gateway/core/contract.ts';
import {
  clientSecretMonth,
  connectionsMonth,
  countedMonth,
  idleMonth,
  millionCalls,
  type Parts,
  total,
  uploads,
} from './cost-model.ts';
import { type FrontDoor, PRICES as P, REST_REQUEST_TIERS } from './prices.ts';

/** The use of a gateway in a month. */
export interface BillAsked {
  /** Connections. */
  readonly users: number;
  /** Share of them that are used every day, from 0 to 1. The gateway keeps the access tokens of these fresh. */
  readonly shareInUse: number;
  /** Proxied calls of 10 KB and 300 ms. */
  readonly calls: number;
  /** Gigabytes that calls upload. @default 0 */
  readonly uploadedGb?: number;
  readonly integrations: number;
  /** Where their client secrets are, as the option of the deployment says. */
  readonly clientSecrets: ClientSecretPlace;
  readonly door: FrontDoor;
  readonly monitoring: boolean;
}

/** The bill of a month by line, in dollars: list prices of us-east-1 without free tiers. */
export function monthlyBill(asked: BillAsked): Parts {
  const { users, shareInUse, calls, uploadedGb = 0, integrations, clientSecrets, door, monitoring } = asked;
  const callers = Math.max(1, Math.min(calls, Math.round(users * shareInUse) || users));
  const {
    'Front door': _listed,
    'Counting: line, questions, pages': _counted,
    ...ofCalls
  } = millionCalls({ connections: callers, door });
  const perConnection = connectionsMonth(users, shareInUse).parts;
  return {
    'Stack without use': total(idleMonth(monitoring)),
    'Secrets of integrations': integrations * clientSecretMonth(clientSecrets),
    ...(users === 0 ? {} : named('Connections', perConnection)),
    'Calls: Front door': door === 'rest-api' ? restRequests(calls) : P.doorRequest[door] * calls,
    ...named('Calls', ofCalls, calls / 1e6),
    ...(uploadedGb === 0 ? {} : { 'Calls: Uploads': uploads(uploadedGb) }),
    'Calls: Counting': calls === 0 ? 0 : total(countedMonth(callers, calls)),
  };
}

function named(group: string, parts: Parts, times = 1): Parts {
  return Object.fromEntries(Object.entries(parts).map(([name, amount]) => [`${group}: ${name}`, amount * times]));
}

/** Requests of API Gateway, which cost less beyond each tier. */
function restRequests(count: number): number {
  let sum = 0;
  let from = 0;
  for (const { upTo, each } of REST_REQUEST_TIERS) {
    sum += Math.max(0, Math.min(count, upTo) - from) * each;
    from = upTo;
  }
  return sum;
}
