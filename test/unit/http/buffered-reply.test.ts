import { describe, expect, it } from 'vitest';
import { LIST_ANSWER_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { bufferedReply } from '../../../lambdas/gateway/http/front-door.ts';

/** What a buffered function may answer (AWS Lambda guide, "Lambda quotas"). */
const LAMBDA_LIMIT_BYTES = 6 * 1024 * 1024;

const reply = (body: string | Uint8Array, type = 'application/json; charset=utf-8') =>
  bufferedReply({ status: 200, headers: [['Content-Type', type]], body: Buffer.from(body) });

describe('the reply of a buffered function', () => {
  it.each([
    ['application/json; charset=utf-8', '{"a":"é 🙂"}'],
    ['text/html; charset=utf-8', '<!doctype html>\n<p>"</p>'],
    ['text/plain', ''],
  ])('DS-7: sends %s as the text it is', (type, text) => {
    expect(reply(text, type)).toMatchObject({ body: text, isBase64Encoded: false });
  });

  it('sends bytes as base64, and no body as none', () => {
    expect(reply(new Uint8Array([0, 255]), 'image/png')).toMatchObject({ body: 'AP8=', isBase64Encoded: true });
    const nothing = bufferedReply({ status: 204, headers: [], body: undefined });
    expect(nothing).toMatchObject({ body: '', isBase64Encoded: false });
  });

  it.each([
    ['a', false],
    ['é', false],
    ['ab"cdefghij', false],
    ['\n', true],
    ['\\"', true],
    ['\u0001', true],
  ])('DS-7: a largest list of %j fits into what the function may answer', (unit, isBase64Encoded) => {
    const result = reply(unit.repeat(Math.floor(LIST_ANSWER_MAX_BYTES / Buffer.byteLength(unit))));
    expect(result.isBase64Encoded).toBe(isBase64Encoded);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(LAMBDA_LIMIT_BYTES);
    const sent = Buffer.from(result.body, isBase64Encoded ? 'base64' : 'utf8').toString();
    expect(sent.slice(0, unit.length)).toBe(unit);
  });
});
