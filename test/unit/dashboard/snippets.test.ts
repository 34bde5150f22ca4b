import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { snippets } from '../../../packages/dashboard/src/model/snippets.ts';

const FACTS = {
  baseUrl: 'https://gateway.example.com/v1',
  proxyUrl: 'https://gateway.example.com/v1',
  integrationId: 'google-calendar',
  connectionId: 'a b|c',
  firstCall: '/calendar/v3/users/me/calendarList?maxResults=5',
};

const codeOf = (id: string, facts = FACTS) => snippets(facts).find((one) => one.id === id)?.code ?? '';

describe('the first call', () => {
  it.each(['curl', 'node', 'python'])(
    'the first call in %s names the connection and takes the key from the environment',
    (id) => {
      const code = codeOf(id);
      const parts = ['a b|c', 'google-calendar', 'GATEWAY_SECRET_KEY', '/calendar/v3/users/me/calendarList'];
      for (const part of parts) expect(code).toContain(part);
    },
  );

  it.each(['curl', 'python'])('FD-1: the first call in %s goes to the address of proxied calls', (id) => {
    const code = codeOf(id, { ...FACTS, proxyUrl: 'https://proxy.example.com' });
    expect(code).toContain('https://proxy.example.com/proxy/calendar/v3/');
    expect(code).not.toContain('gateway.example.com');
  });

  it('FD-1: the first call in Node names the address of proxied calls alongside the gateway’s, and only where it is another', () => {
    const code = codeOf('node', { ...FACTS, proxyUrl: 'https://proxy.example.com' });
    expect(code).toContain('baseUrl: "https://gateway.example.com/v1",\n  proxyUrl: "https://proxy.example.com",');
    expect(codeOf('node')).not.toContain('proxyUrl');
  });

  it('the first call in curl stays one command whatever an id holds', () => {
    const code = codeOf('curl', { ...FACTS, connectionId: "it's $(id) `id`" });
    const output = execFileSync('sh', ['-c', code.replace(/^curl/, "printf '%s\\n'")], {
      env: { PATH: process.env.PATH, GATEWAY_SECRET_KEY: 'sk' },
      encoding: 'utf8',
    });
    expect(output.trim().split('\n')).toEqual([
      'https://gateway.example.com/v1/proxy/calendar/v3/users/me/calendarList?maxResults=5',
      ...['-H', 'Authorization: Bearer sk'],
      ...['-H', 'Provider-Config-Key: google-calendar'],
      ...['-H', "Connection-Id: it's $(id) `id`"],
    ]);
  });

  it('the first call in Node holds no way out of its strings', () => {
    expect(codeOf('node', { ...FACTS, connectionId: "x', evil: '" })).toContain(`connectionId: "x', evil: '"`);
  });
});
