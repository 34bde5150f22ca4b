// @module-tag long
import { spawn } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, LOOPBACK, listen } from '../../dev/local/network.ts';
import { temporaryFolder } from '../../dev/support/synthesize.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { bareEnvironment } from '../support/command-line.ts';

/** What a command of the CDK reads of a clone. */
const PARTS = ['bin', 'lib', 'lambdas', 'dev', 'cdk.json', 'package.json'];

const IDENTITY =
  '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::111122223333:user/test</Arn><UserId>TEST</UserId>' +
  '<Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>';
const REFUSAL =
  '<ErrorResponse><Error><Code>AccessDenied</Code><Message>refused by the test</Message></Error></ErrorResponse>';

describe('a command of the CDK in a clone that has just been installed', () => {
  const clone = temporaryFolder();
  const asked: string[] = [];
  // AWS as far as it takes to see that a command gets there: it knows who asks, and refuses everything else.
  const aws = createServer(async (request, response) => {
    const action = new URLSearchParams(await text(request)).get('Action') ?? 'none';
    asked.push(action);
    response.writeHead(action === 'GetCallerIdentity' ? 200 : 403, { 'content-type': 'text/xml' });
    response.end(action === 'GetCallerIdentity' ? IDENTITY : REFUSAL);
  });
  let endpoint: string;

  beforeAll(async () => {
    for (const part of PARTS) cpSync(join(PROJECT_ROOT, part), join(clone.path, part), { recursive: true });
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(clone.path, 'node_modules'));
    endpoint = `http://${LOOPBACK}:${await listen(aws, 0, 'the stand-in for AWS', 'start again')}`;
  });
  afterAll(async () => {
    await closeServer(aws);
    clone[Symbol.dispose]();
  });

  /** As `npx cdk …` runs it. */
  function cdk(...args: string[]): Promise<{ code: number | null; output: string }> {
    const bin = join(clone.path, 'node_modules', '.bin');
    const child = spawn(join(bin, 'cdk'), args, {
      cwd: clone.path,
      env: {
        ...bareEnvironment(),
        PATH: `${bin}:${process.env.PATH ?? ''}`,
        HOME: clone.path,
        CI: 'true',
        NO_COLOR: '1',
        CDK_VALIDATION: 'false',
        AWS_ENDPOINT_URL: endpoint,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_MAX_ATTEMPTS: '1',
        AWS_EC2_METADATA_DISABLED: 'true',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
    }
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, output }));
    });
  }

  it('finds its bundles made: bootstrap gets as far as AWS', async () => {
    expect(existsSync(join(clone.path, 'dist'))).toBe(false);
    const { output } = await cdk('bootstrap', 'aws://111122223333/us-east-1');
    expect(output).toMatch(/^\d+ functions bundled in \d+\.\d s$/m);
    expect(output).toContain('refused by the test');
    expect(asked).toContain('DescribeStacks');
  });

  it('finds its bundles made: diff compares without an account', async () => {
    const released = join('lib', 'released', 'kept-resources.template.json');
    const { code, output } = await cdk('diff', '--template', released, '--no-change-set');
    expect(output).toContain('Number of stacks with differences: 1');
    expect(code).toBe(0);
  });
});
