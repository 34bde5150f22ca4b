/** Secrets Manager's random passwords: GetRandomPassword and a secret's GenerateSecretString. */
import { randomInt } from 'node:crypto';
import { asNumber, asObject, asString, type Json, type JsonObject, parseJson } from '../../tools/json.ts';
import { AwsError } from './aws-error.ts';

const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
const UPPERCASE = LOWERCASE.toUpperCase();
const NUMBERS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const DEFAULT_LENGTH = 32;
const MAX_LENGTH = 4096;

/** A password by the options of GetRandomPassword. @throws AwsError when they leave no character or are out of range. */
function randomPassword(options: JsonObject): string {
  const length =
    options.PasswordLength === undefined ? DEFAULT_LENGTH : asNumber(options.PasswordLength, 'PasswordLength');
  const excluded = new Set(
    options.ExcludeCharacters === undefined ? '' : asString(options.ExcludeCharacters, 'ExcludeCharacters'),
  );
  const kinds = [
    options.ExcludeLowercase === true ? '' : LOWERCASE,
    options.ExcludeUppercase === true ? '' : UPPERCASE,
    options.ExcludeNumbers === true ? '' : NUMBERS,
    options.ExcludePunctuation === true ? '' : PUNCTUATION,
    options.IncludeSpace === true ? ' ' : '',
  ]
    .map((kind) => [...kind].filter((character) => !excluded.has(character)).join(''))
    .filter((kind) => kind !== '');
  const required = options.RequireEachIncludedType === false ? [] : kinds;
  if (kinds.length === 0 || length < Math.max(1, required.length) || length > MAX_LENGTH) {
    throw new AwsError('InvalidParameterException', 'The password length or character sets are not valid.');
  }
  const characters = required.map(pick);
  while (characters.length < length) characters.push(pick(kinds.join('')));
  return shuffled(characters).join('');
}

/** The first value of a secret with GenerateSecretString: a password, or its template containing it. */
export function generatedSecretString(generate: JsonObject): string {
  const password = randomPassword(generate);
  const template: Json | undefined = generate.SecretStringTemplate;
  if (template === undefined) return password;
  const key = asString(generate.GenerateStringKey, 'GenerateStringKey');
  const members = asObject(
    parseJson(asString(template, 'SecretStringTemplate'), 'SecretStringTemplate'),
    'SecretStringTemplate',
  );
  return JSON.stringify({ ...members, [key]: password });
}

function pick(characters: string): string {
  return characters.charAt(randomInt(characters.length));
}

function shuffled(characters: string[]): string[] {
  for (let last = characters.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [characters[last], characters[other]] = [characters[other] ?? '', characters[last] ?? ''];
  }
  return characters;
}
