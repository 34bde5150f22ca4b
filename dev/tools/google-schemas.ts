/**
 * What `npm run generate` makes of packages/simulator/data/schemas.json, from the discovery documents in the PyPI package
 * google-api-python-client (Apache-2.0), which `npm run second-opinions` installs.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PROJECT_ROOT } from './run.ts';

/** Path of the schemas, from the project's folder. */
export const SCHEMAS_FILE = 'packages/simulator/data/schemas.json';

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

/** What reads one document of the installed package; undefined where the package is not installed. */
export function installedDocuments(): ((name: string) => string) | undefined {
  const folder = globSync('.second-opinions/python/lib/*/site-packages/googleapiclient/discovery_cache/documents', {
    cwd: PROJECT_ROOT,
  })[0];
  return folder === undefined ? undefined : (name) => readFileSync(join(PROJECT_ROOT, folder, name), 'utf8');
}
