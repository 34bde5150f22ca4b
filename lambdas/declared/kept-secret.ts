import { DeclarationError } from './declaration-error.ts';
import type { Declaring, SecretStage } from './ports.ts';

/** A secret of the stack that receives what the gateway shows once. */
export interface KeptSecret {
  /** The property that names it. */
  readonly property: string;
  readonly arn: string;
}

/** @throws DeclarationError with the missing grant */
export async function keepSecret({ secrets }: Declaring, kept: KeptSecret, value: string): Promise<void> {
  try {
    await secrets.write(kept.arn, value);
  } catch (error) {
    throw notReached(kept, 'PutSecretValue', error);
  }
}

/** @returns undefined without a value @throws DeclarationError with the missing grant */
export async function readKept(
  { secrets }: Declaring,
  kept: KeptSecret,
  stage: SecretStage = 'AWSCURRENT',
): Promise<string | undefined> {
  try {
    return await secrets.read(kept.arn, stage);
  } catch (error) {
    throw notReached(kept, 'GetSecretValue', error);
  }
}

function notReached({ property }: KeptSecret, action: string, error: unknown): DeclarationError {
  const name = error instanceof Error ? error.name : 'Error';
  return new DeclarationError(
    `${property}: the secret cannot be reached (${name}); grant the role of the gateway's function secretsmanager:${action} on it.`,
    { cause: error },
  );
}
