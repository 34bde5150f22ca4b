import { createGatewayApp } from '../lib/gateway-app.ts';
import { InvalidOptionsError } from '../lib/gateway-options.ts';

// `CDK_VALIDATION=false` also switches off the template validation of the CDK itself.
const checkRules = process.env.CDK_VALIDATION !== 'false';

try {
  const app = await createGatewayApp({ environment: process.env, checkRules });
  app.synth();
} catch (error) {
  if (!(error instanceof InvalidOptionsError)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
}
