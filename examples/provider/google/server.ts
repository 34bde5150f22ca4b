export * from '../../../lambdas/gateway/providers/google/server.ts';
