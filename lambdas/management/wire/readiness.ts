import type { ReadinessReport } from '../integrations/report-readiness.ts';

/** A readiness report in the API's spelling. `done` is null where only Google's console shows it. */
export function readinessOnTheWire(report: ReadinessReport): Record<string, unknown> {
  return {
    ready: report.ready,
    publishing_status: report.publishingStatus,
    audience: report.audience,
    redirect_uri: report.redirectUri,
    javascript_origin: report.javascriptOrigin,
    strictest_class: report.strictestClass,
    scopes: report.scopes.map(({ scope, reviewClass, meaning, reviews }) => ({
      scope,
      review_class: reviewClass,
      meaning,
      reviews,
    })),
    steps: report.steps.map(({ id, needed, done, what }) => ({ id, needed, done: done ?? null, what })),
    alternatives: report.alternatives.map(({ insteadOf, scope, what }) => ({ instead_of: insteadOf, scope, what })),
    risks: report.risks,
  };
}
