import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BillAsked, monthlyBill } from '../../../packages/cli/costs/bill.ts';
import {
  connectionsMonth,
  countedMonth,
  idleMonth,
  millionCalls,
  total,
} from '../../../packages/cli/costs/cost-model.ts';

const ASKED: BillAsked = {
  ...{ users: 10_000, shareInUse: 1, calls: 1_000_000, integrations: 1, clientSecrets: 'secrets-manager' },
  ...{ door: 'rest-api', monitoring: true },
};

test('the bill of a million calls is the sum of the parts that docs/costs.md prints', () => {
  const { 'Counting: line, questions, pages': _, ...calls } = millionCalls({ connections: 10_000 });
  const parts = [idleMonth(true), connectionsMonth(10_000, 1).parts, calls, countedMonth(10_000, 1_000_000)];
  const secret = 0.4;
  expect(total(monthlyBill(ASKED))).toBeCloseTo(
    parts.reduce((sum, one) => sum + total(one), secret),
    6,
  );
});

test('requests of API Gateway beyond 333 million and a billion a month cost less', () => {
  const door = (calls: number) => monthlyBill({ ...ASKED, calls })['Calls: Front door'];
  expect(door(333e6)).toBeCloseTo(1165.5, 6);
  expect(door(334e6)).toBeCloseTo(1165.5 + 2.8, 6);
  expect(door(1e9 + 1e6)).toBeCloseTo(1165.5 + 667 * 2.8 + 2.38, 6);
  expect(monthlyBill({ ...ASKED, door: 'function-url' })['Calls: Front door']).toBe(0);
});

test('uploads leave AWS for Google, at the price of transfer', () => {
  const uploaded = total(monthlyBill({ ...ASKED, uploadedGb: 1_000 }));
  expect(uploaded - total(monthlyBill(ASKED))).toBeCloseTo(90, 6);
});

test('a gateway that nobody uses costs only its stack and its secrets', () => {
  const bill = monthlyBill({ ...ASKED, users: 0, calls: 0, integrations: 0 });
  expect(total(bill)).toBeCloseTo(total(idleMonth(true)), 6);
});

test('users who call every day cost refreshes, and ten times as many cost ten times as much', () => {
  const refreshes = (users: number, shareInUse = 1) =>
    monthlyBill({ ...ASKED, users, shareInUse })['Connections: Refreshes'] ?? 0;
  expect(refreshes(100_000)).toBeCloseTo(10 * refreshes(10_000), 6);
  expect(refreshes(10_000, 0)).toBeLessThan(refreshes(10_000) / 100);
});

test('gateway costs --json prints the lines of the bill and their sum', () => {
  const program = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'cli.ts');
  const args = [program, '--json', 'costs', '--users', '10000', '--calls', '1000000', '--used-daily', '10%'];
  const printed = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const bill = monthlyBill({ ...ASKED, shareInUse: 0.1 });
  expect(printed.lines.map(({ line }: { line: string }) => line)).toEqual(Object.keys(bill));
  expect(printed).toMatchObject({ currency: 'USD', total: Math.round(total(bill) * 100) / 100 });
});

test('client secrets in the table cost their storage, and no secret each', () => {
  const of = (clientSecrets: BillAsked['clientSecrets']) =>
    monthlyBill({ ...ASKED, integrations: 10_000, clientSecrets })['Secrets of integrations'];
  expect(of('secrets-manager')).toBe(4_000);
  expect(of('table')).toBeGreaterThan(0);
  expect(of('table')).toBeLessThan(0.01);
});
