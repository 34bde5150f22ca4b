export * from '../../lambdas/gateway/providers/authorization-server.rules.ts';
