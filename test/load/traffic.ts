import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { FaultWorld, Subject } from '../faults/support/fault-world.ts';
import { type Called, callGateway, callProxy } from './caller.ts';
import type { Ledger, WrittenFile } from './ledger.ts';
import type { Outcome, WholeAnswer } from './outcome.ts';
import { uploadInChunks } from './upload-in-chunks.ts';

/** What a piece of work needs. */
export interface Workplace {
  readonly world: FaultWorld;
  readonly drives: readonly Subject[];
  readonly calendars: readonly Subject[];
  readonly ledger: Ledger;
  readonly random: () => number;
  /** Makes names unique. */
  nextName(): string;
}

type Work = (place: Workplace) => Promise<Outcome>;

const JSON_TYPE = { 'content-type': 'application/json' };
const MULTIPART_BYTES = 64 * 1024;
const CHUNKED_BYTES = 768 * 1024;
const BATCH_PARTS = 10;

/** Kinds of work with their share in a hundred calls. */
export const TRAFFIC: readonly (readonly [name: string, share: number, work: Work])[] = [
  ['list files', 24, listFiles],
  ['list events', 16, listEvents],
  ['read a file’s metadata', 14, readMetadata],
  ['create a file', 10, createFile],
  ['change a file', 8, changeFile],
  ['download a file', 8, download],
  ['upload 64 KB multipart', 6, uploadMultipart],
  ['batch of 10', 4, batch],
  ['list connections', 4, listConnections],
  ['delete a file', 3, deleteFile],
  ['upload 768 KB in chunks', 2, uploadChunked],
  ['wrong secret key', 1, wrongKey],
];

async function listFiles(place: Workplace): Promise<Outcome> {
  const called = await callProxy(place.world, oneOf(place, place.drives), '/drive/v3/files?pageSize=20');
  return checked(called, (answer) => assert.equal(json(answer).kind, 'drive#fileList'));
}

async function listEvents(place: Workplace): Promise<Outcome> {
  const path = '/calendar/v3/calendars/primary/events?maxResults=10';
  const called = await callProxy(place.world, oneOf(place, place.calendars), path);
  return checked(called, (answer) => assert.equal(json(answer).kind, 'calendar#events'));
}

async function readMetadata(place: Workplace): Promise<Outcome> {
  const file = place.ledger.take(place.random);
  if (file === undefined) return listFiles(place);
  const called = await callProxy(place.world, file.subject, `/drive/v3/files/${file.id}?fields=id,name,description`);
  place.ledger.giveBack(file);
  return checked(called, (answer) => {
    const { name, description } = json(answer);
    assert.equal(name, file.name);
    assert.ok(file.descriptions.includes(description as string | undefined), `${file.name}: ${description}`);
  });
}

async function createFile(place: Workplace): Promise<Outcome> {
  const subject = oneOf(place, place.drives);
  const file = place.ledger.begin(subject, place.nextName());
  const called = await callProxy(place.world, subject, '/drive/v3/files', {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ name: file.name, mimeType: 'application/octet-stream' }),
  });
  return acknowledged(place, file, called);
}

async function changeFile(place: Workplace): Promise<Outcome> {
  const file = place.ledger.take(place.random);
  if (file === undefined) return createFile(place);
  const description = `changed ${Math.floor(place.random() * 1e9)}`;
  file.descriptions.push(description);
  const called = await callProxy(place.world, file.subject, `/drive/v3/files/${file.id}`, {
    method: 'PATCH',
    headers: JSON_TYPE,
    body: JSON.stringify({ description }),
  });
  if (called.outcome.kind === 'ok') file.descriptions = [description];
  place.ledger.giveBack(file);
  return called.outcome;
}

async function deleteFile(place: Workplace): Promise<Outcome> {
  const file = place.ledger.take(place.random);
  if (file === undefined) return createFile(place);
  file.deleted = 'perhaps';
  const { outcome } = await callProxy(place.world, file.subject, `/drive/v3/files/${file.id}`, { method: 'DELETE' });
  if (outcome.kind === 'ok') file.deleted = 'yes';
  return outcome;
}

async function uploadMultipart(place: Workplace): Promise<Outcome> {
  if (!place.ledger.takesRoom(MULTIPART_BYTES)) return createFile(place);
  const subject = oneOf(place, place.drives);
  const content = bytes(place, MULTIPART_BYTES);
  const file = place.ledger.begin(subject, place.nextName(), md5(content));
  const edge = 'load-boundary';
  const metadata = JSON.stringify({ name: file.name, mimeType: 'application/octet-stream' });
  const head = `--${edge}\r\ncontent-type: application/json\r\n\r\n${metadata}\r\n--${edge}\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const called = await callProxy(place.world, subject, '/upload/drive/v3/files?uploadType=multipart', {
    method: 'POST',
    headers: { 'content-type': `multipart/related; boundary=${edge}` },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${edge}--\r\n`)]),
  });
  return acknowledged(place, file, called);
}

async function uploadChunked(place: Workplace): Promise<Outcome> {
  if (!place.ledger.takesRoom(CHUNKED_BYTES)) return createFile(place);
  const subject = oneOf(place, place.drives);
  const content = bytes(place, CHUNKED_BYTES);
  const file = place.ledger.begin(subject, place.nextName(), md5(content));
  return acknowledged(place, file, await uploadInChunks(place.world, subject, file.name, content));
}

async function download(place: Workplace): Promise<Outcome> {
  const file = place.ledger.take(place.random, ({ md5: content }) => content !== undefined);
  if (file === undefined) return uploadMultipart(place);
  const called = await callProxy(place.world, file.subject, `/drive/v3/files/${file.id}?alt=media`);
  place.ledger.giveBack(file);
  return checked(called, (answer) => assert.equal(md5(answer.body), file.md5, `${file.name} came down changed`));
}

async function batch(place: Workplace): Promise<Outcome> {
  const part = '--parts\r\ncontent-type: application/http\r\n\r\nGET /drive/v3/about?fields=kind HTTP/1.1\r\n\r\n\r\n';
  const called = await callProxy(place.world, oneOf(place, place.drives), '/batch/drive/v3', {
    method: 'POST',
    headers: { 'content-type': 'multipart/mixed; boundary=parts' },
    body: `${part.repeat(BATCH_PARTS)}--parts--\r\n`,
  });
  return checked(called, (answer) => {
    assert.equal(
      answer.body.toString('utf8').split('HTTP/1.1 ').length - 1,
      BATCH_PARTS,
      'answers of a batch are missing',
    );
  });
}

async function listConnections(place: Workplace): Promise<Outcome> {
  const called = await callGateway(place.world, '/connections?limit=20');
  return checked(called, (answer) => assert.ok(Array.isArray(json(answer).connections)));
}

async function wrongKey(place: Workplace): Promise<Outcome> {
  const called = await callProxy(place.world, oneOf(place, place.drives), '/drive/v3/files', {
    headers: { authorization: 'Bearer sk_default_wrong' },
  });
  if (called.outcome.kind !== 'gateway') return called.outcome;
  assert.equal(called.outcome.code, 'invalid_secret_key');
  return { kind: 'ok' };
}

/** A success counts only if it is true. */
function checked(called: Called, check: (answer: WholeAnswer) => void): Outcome {
  if (called.outcome.kind === 'ok' && called.answer !== undefined) check(called.answer);
  return called.outcome;
}

function acknowledged(place: Workplace, file: WrittenFile, called: Called): Outcome {
  return checked(called, (answer) => {
    const { id } = json(answer);
    assert.ok(typeof id === 'string', `${file.name}: an answer without id`);
    place.ledger.acknowledge(file, id);
  });
}

function json(answer: WholeAnswer): Record<string, unknown> {
  return JSON.parse(answer.body.toString('utf8'));
}

function md5(content: Uint8Array): string {
  return createHash('md5').update(content).digest('hex');
}

/** Repeatable content that no two files share. */
function bytes(place: Workplace, length: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(length);
  const seed = Buffer.from(place.nextName());
  for (let at = 0; at < length; at += seed.length)
    content.set(seed.subarray(0, Math.min(seed.length, length - at)), at);
  return content;
}

function oneOf(place: Workplace, subjects: readonly Subject[]): Subject {
  const subject = subjects[Math.floor(place.random() * subjects.length)];
  if (subject === undefined) throw new Error('There is no connection to use');
  return subject;
}
