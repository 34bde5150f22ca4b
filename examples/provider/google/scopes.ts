export * from '../../../lambdas/gateway/providers/google/scopes.ts';
