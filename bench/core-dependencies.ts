/** The proxy's core as the function wires it, with the table and KMS replaced by memory. */
import { tokenCipher } from '../lambdas/shared/adapters/kms/token-cipher.ts';
import type { Upstream } from '../lambdas/shared/domain/upstream.ts';
import type { Clock, ConnectionStore, Logger, Metrics, Random } from '../lambdas/shared/ports.ts';
import { providerOf } from '../lambdas/shared/providers/index.ts';
import { CallerDirectory } from '../lambdas/shared/use-cases/authenticate-caller.ts';
import { AccessTokens } from '../lambdas/shared/use-cases/fresh-access-token.ts';
import type { ProxyDependencies } from '../lambdas/shared/use-cases/proxy/proxy-call.ts';
import { DATA_KEY, sampleRecords } from './sample.ts';

