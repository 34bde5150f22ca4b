import table from '../data/methods.json' with { type: 'json' };
import { scopeUrl } from '../oauth/scopes.ts';

/** The two APIs the simulator knows. */
export type ApiName = 'drive' | 'calendar';

/** A query parameter as discovery declares it. */
export interface ParameterRule {
  name: string;
  type: 'string' | 'boolean' | 'integer' | 'time';
  required: boolean;
  repeated: boolean;
  minimum: number | undefined;
  maximum: number | undefined;
  allowed: readonly string[] | undefined;
}

/** One method of an API as discovery declares it. */
export interface MethodRule {
  /** `drive.files.list` */
  id: string;
  api: ApiName;
  verb: string;
  /** Template below the service path, for example `files/{fileId}/copy`. */
  path: string;
  /** Schema of the answer; `undefined` when there is none. */
  response: string | undefined;
  /** Any one of these suffices. */
  scopes: readonly string[];
  parameters: readonly ParameterRule[];
  allowsUpload: boolean;
  allowsMedia: boolean;
}

const PARAMETER =
  /^(?<name>[^!*:[{]+)(?<marks>[!*]*)(?::(?<type>[a-z]+))?(?:\[(?<low>\d*)\.\.(?<high>\d*)\])?(?:\{(?<list>.*)\})?$/;

function parseBound(bound: string | undefined): number | undefined {
  return bound === undefined || bound === '' ? undefined : Number(bound);
}

/** Reads one parameter of a row: `name`, `!` required, `*` repeated, `:type`, `[min..max]`, `{a|b}`. */
export function parseParameter(row: string): ParameterRule {
  const groups = PARAMETER.exec(row)?.groups;
  if (groups === undefined) throw new Error(`methods.json: "${row}" is not a parameter.`);
  const { type } = groups;
  return {
    name: groups.name ?? '',
    type: type === 'boolean' || type === 'integer' || type === 'time' ? type : 'string',
    required: groups.marks?.includes('!') === true,
    repeated: groups.marks?.includes('*') === true,
    minimum: parseBound(groups.low),
    maximum: parseBound(groups.high),
    allowed: groups.list?.split('|'),
  };
}

function parseMethod(api: ApiName, row: string): MethodRule {
  const [id = '', verbAndFlags = '', path = '', response = '-', scopes = '', ...parameters] = row.split(' ');
  const [verb = '', ...flags] = verbAndFlags.split('+');
  return {
    id,
    api,
    verb,
    path,
    response: response === '-' ? undefined : response,
    scopes: scopes.split(',').map((index) => scopeUrl(table[api].scopes[Number(index)] ?? '')),
    parameters: parameters.map(parseParameter),
    allowsUpload: flags.includes('upload'),
    allowsMedia: flags.includes('media'),
  };
}

/** Every method of both APIs. */
export const METHODS: Readonly<Record<ApiName, readonly MethodRule[]>> = {
  drive: table.drive.methods.map((row) => parseMethod('drive', row)),
  calendar: table.calendar.methods.map((row) => parseMethod('calendar', row)),
};
