export * from '../../lambdas/gateway/providers/provider.rules.ts';
