/**
 * `node dev/tools/google-schemas.ts`: writes packages/simulator/data/schemas.json from the discovery documents that the PyPI package
 * google-api-python-client carries (Apache-2.0); `npm run second-opinions` installs it.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PROJECT_ROOT } from './run.ts';

/** Where the simulator keeps the schemas. */
export const SCHEMAS_FILE = join(PROJECT_ROOT, 'packages', 'simulator', 'data', 'schemas.json');

/** Discovery documents by the simulator's name of the API. */
const DOCUMENTS = { drive: 'drive.v3', calendar: 'calendar.v3', activity: 'driveactivity.v2' } as const;

interface Property {
  type?: string | undefined;
  format?: string | undefined;
  $ref?: string | undefined;
  enum?: string[] | undefined;
  items?: Property | undefined;
  properties?: Record<string, Property> | undefined;
  additionalProperties?: Property | undefined;
}

const property: z.ZodType<Property> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    format: z.string().optional(),
    $ref: z.string().optional(),
    enum: z.array(z.string()).optional(),
    items: property.optional(),
    properties: z.record(z.string(), property).optional(),
    additionalProperties: property.optional(),
  }),
);

const discoveryDocument = z.object({ revision: z.string(), schemas: z.record(z.string(), property) });

/** Formats whose form is checked; the others say nothing about how a value is written. */
const FORMATS: Readonly<Record<string, string>> = {
  int64: 'int64',
  uint64: 'int64',
  'date-time': 'time',
  'google-datetime': 'time',
  date: 'date',
};

type Rows = Record<string, string>;

function typeText(schema: Property, name: string, rows: Rows): string {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.type === 'array') return `[${typeText(schema.items ?? {}, name, rows)}]`;
  if (schema.properties !== undefined) {
    rows[name] = memberRow(schema.properties, name, rows);
    return name;
  }
  if (schema.additionalProperties !== undefined) return `{${typeText(schema.additionalProperties, name, rows)}}`;
  if (schema.type === 'object') return '{any}';
  if (schema.enum !== undefined) return `(${schema.enum.join('|')})`;
  if (schema.type === 'string') return FORMATS[schema.format ?? ''] ?? 'string';
  return schema.type ?? 'any';
}

function memberRow(members: Record<string, Property>, name: string, rows: Rows): string {
  return Object.entries(members)
    .map(([member, schema]) => `${member}:${typeText(schema, `${name}.${member}`, rows)}`)
    .join(' ');
}

/** The schemas of the three APIs in the simulator's form, as the text of the file. */
export function compactSchemas(read: (document: string) => string): string {
  const apis = Object.entries(DOCUMENTS).map(([api, name]) => {
    const { revision, schemas } = discoveryDocument.parse(JSON.parse(read(`${name}.json`)));
    const rows: Rows = {};
    for (const [schema, { properties }] of Object.entries(schemas))
      rows[schema] = memberRow(properties ?? {}, schema, rows);
    const sorted = Object.entries(rows).sort(([one], [other]) => (one < other ? -1 : 1));
    return [api, { revision, schemas: Object.fromEntries(sorted) }];
  });
  return `${JSON.stringify(Object.fromEntries(apis), null, 2)}\n`;
}

/**
 * Folder of the discovery documents in the installed package.
 * @throws Error when the package is not installed
 */
function discoveryFolder(): string {
  const found = globSync('.second-opinions/python/lib/*/site-packages/googleapiclient/discovery_cache/documents', {
    cwd: PROJECT_ROOT,
  })[0];
  if (found === undefined)
    throw new Error('Run "npm run second-opinions -- google-python-client" once: it installs the package.');
  return join(PROJECT_ROOT, found);
}

/** Reads one document of the installed package. */
export function readDocument(name: string): string {
  return readFileSync(join(discoveryFolder(), name), 'utf8');
}

if (import.meta.main) writeFileSync(SCHEMAS_FILE, compactSchemas(readDocument));
