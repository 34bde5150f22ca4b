import { ApiError, invalidParameter } from './envelope.ts';
import type { MethodRule, ParameterRule } from './method-table.ts';

const INT32_MAX = 2_147_483_647;

function checkInteger(rule: ParameterRule, value: string): void {
  const parsed = Number(value);
  if (!/^-?\d+$/.test(value) || Math.abs(parsed) > INT32_MAX) {
    throw invalidParameter(rule.name, `Invalid value at '${rule.name}' (TYPE_INT32), "${value}"`);
  }
  const low = rule.minimum ?? -INT32_MAX;
  const high = rule.maximum ?? INT32_MAX;
  if (parsed < low || parsed > high) {
    throw invalidParameter(rule.name, `Invalid value '${value}'. Values must be within the range: [${low}, ${high}]`);
  }
}

/** RFC 3339 with a mandatory offset, as Calendar asks for in `timeMin` and `timeMax`. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

function checkValue(rule: ParameterRule, value: string): void {
  if (rule.type === 'integer') checkInteger(rule, value);
  if (rule.type === 'boolean' && value !== 'true' && value !== 'false') {
    throw invalidParameter(rule.name, `Invalid boolean value: '${value}'.`);
  }
  if (rule.type === 'time' && (!RFC_3339.test(value) || Number.isNaN(Date.parse(value)))) {
    throw new ApiError({ code: 400, reason: 'badRequest', message: 'Bad Request', location: rule.name });
  }
  if (rule.allowed !== undefined && !rule.allowed.includes(value)) {
    throw invalidParameter(rule.name, `Invalid value '${value}'. Allowed values: [${rule.allowed.join(', ')}]`);
  }
}

/**
 * Checks the query of a call against the method's declared parameters; unknown parameters pass.
 * @throws {ApiError} 400 `required` or `invalidParameter`, naming the parameter
 */
export function checkParameters(method: MethodRule, query: URLSearchParams): void {
  for (const rule of method.parameters) {
    const values = query.getAll(rule.name);
    if (rule.required && values.every((value) => value === '')) {
      const message = `Required parameter: ${rule.name}`;
      throw new ApiError({ code: 400, reason: 'required', message, location: rule.name });
    }
    const last = values.at(-1);
    for (const value of rule.repeated ? values : last === undefined ? [] : [last]) checkValue(rule, value);
  }
}
