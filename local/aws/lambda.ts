/** Lambda's API as functions use it: an invocation that nobody waits for. */
import type { RequiredAccess } from '../iam/judge.ts';
import { type Json, optionalString } from '../json.ts';
import type { LocalFunction } from '../template/functions.ts';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './server.ts';

export interface LambdaServiceOptions {
  functions: readonly Pick<LocalFunction, 'name' | 'arn'>[];
  /** Runs a function; what becomes of it is told to nobody but the log. */
  invoke: (functionArn: string, event: Json) => Promise<unknown>;
  onFailure: (message: string) => void;
}

/** Makes the service. `Invoke` with the type `Event` alone: the gateway's functions wait for each other nowhere. */
export function lambdaService({ functions, invoke, onFailure }: LambdaServiceOptions): AwsService {
  const find = (name: Json | undefined) => {
    const text = optionalString(name, 'FunctionName') ?? '';
    const found = functions.find((fn) => fn.name === text || fn.arn === text);
    if (found === undefined) throw new AwsError('ResourceNotFoundException', `Function not found: ${text}`, 404);
    return found;
  };
  return {
    access(_operation, input): RequiredAccess[] {
      return [{ action: 'lambda:InvokeFunction', resource: find(input.FunctionName).arn }];
    },
    call(_operation, input) {
      if (input.InvocationType !== 'Event') {
        throw new AwsError('NotEmulated', 'Lambda Invoke is emulated locally with the type Event only.', 501);
      }
      const { arn, name } = find(input.FunctionName);
      invoke(arn, input.Payload ?? null).catch((error: unknown) => onFailure(`${name}: ${String(error)}`));
      return {};
    },
  };
}
