import { expect, test } from 'vitest';
import { reportOf } from '../../../dev/tools/construct-report.ts';

const INDEX = "/** All. */\nexport { type Props, Thing } from './thing.ts';\n";
const SOURCE = `import { Construct } from 'constructs';
/** What a thing needs. */
export interface Props extends Size {
    /** Its name. */
    readonly name?: string;
}
interface Size {
    readonly size: number;
}
export declare class Thing extends Construct {
    #private;
    private readonly held;
    constructor(scope: Construct, props: Props);
}
export declare function internal(): void;
`;

test('the report of the construct package has what it exports and what that uses, without comments and private members', () => {
  const report = reportOf(INDEX, [SOURCE]);
  expect(report.split('\n').slice(3).join('\n')).toBe(`export interface Props extends Size {
    readonly name?: string;
}

interface Size {
    readonly size: number;
}

export declare class Thing extends Construct {
    constructor(scope: Construct, props: Props);
}
`);
});

test('the report leaves out the constructor of a class that is exported as a type only', () => {
  const report = reportOf("export type { Thing } from './thing.ts';\n", [SOURCE]);
  expect(report.split('\n').slice(3).join('\n')).toBe('export declare class Thing extends Construct {\n}\n');
});

test('a property that goes, gets another type or becomes required changes the report', () => {
  const report = reportOf(INDEX, [SOURCE]);
  for (const [from, to] of [
    ['    readonly name?: string;\n', ''],
    ['name?: string', 'name?: number'],
    ['name?: string', 'name: string'],
  ] as const)
    expect(reportOf(INDEX, [SOURCE.replace(from, to)])).not.toBe(report);
});
