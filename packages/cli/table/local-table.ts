import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFields, text } from '../../client/src/http/fields.ts';
import { CommandProblem } from '../problems.ts';

/** The table of the gateway of `npm start`, and its other parts. */
export interface LocalTable {
  readonly tableName: string;
  readonly tokenKeyArn: string;
  /** Name of the function that puts events on the bus. */
  readonly eventsFunctionName: string;
}

/**
 * Has AWS's SDK of this process reach the gateway that `npm start` runs: its addresses and the credentials of its present run.
 *
 * @param folder its data folder
 * @param otherwise what to do where the gateway is elsewhere
 * @throws CommandProblem where there is none
 */
export function useLocalTable(folder: string, otherwise: string): LocalTable {
  let fields: unknown;
  try {
    fields = JSON.parse(readFileSync(join(folder, 'local.json'), 'utf8'));
  } catch {
    // Said below, with what to do.
  }
  if (!isFields(fields)) {
    throw new CommandProblem(
      `No gateway is running from ${resolve(folder)}. For a deployed gateway ${otherwise}; in the project, npm start starts a local one.`,
    );
  }
  process.env.AWS_REGION ??= 'us-east-1';
  process.env.AWS_ENDPOINT_URL = text(fields, 'aws_endpoint');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = text(fields, 'dynamodb_endpoint');
  process.env.AWS_ACCESS_KEY_ID = text(fields, 'aws_access_key_id');
  process.env.AWS_SECRET_ACCESS_KEY = text(fields, 'aws_secret_access_key');
  delete process.env.AWS_SESSION_TOKEN;
  return {
    tableName: text(fields, 'table_name'),
    tokenKeyArn: text(fields, 'token_key_arn'),
    eventsFunctionName: text(fields, 'events_function_name'),
  };
}
