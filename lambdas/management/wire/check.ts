import { whatHappened } from '../../gateway/core/grant-death.ts';
import { deathOnTheWire } from '../../gateway/http/error-response.ts';
import type { CheckResult } from '../connections/check-connection.ts';

/** What a check found, in the API's spelling: works, or exactly why not. */
export function checkOnTheWire(result: CheckResult): Record<string, unknown> {
  switch (result.kind) {
    case 'judged':
      return {
        works: result.judgement.works,
        reason: result.judgement.reason,
        message: result.judgement.message,
        who: result.judgement.who ?? null,
        remedy: result.judgement.remedy ?? null,
        upstream_status: result.upstreamStatus ?? null,
        connection: null,
      };
    case 'dead':
      return {
        works: false,
        reason: 'reauthorization_required',
        message: whatHappened(result.death) || 'The grant has ended.',
        who: result.death.likelyCauses[0]?.who ?? null,
        remedy: result.death.remedy,
        upstream_status: null,
        connection: deathOnTheWire(result.death),
      };
    case 'no_token':
      return {
        works: false,
        reason: result.error.code,
        message: result.error.message,
        who: result.error.code === 'integration_credentials_rejected' ? 'developer' : null,
        remedy: null,
        upstream_status: null,
        connection: null,
      };
  }
}
