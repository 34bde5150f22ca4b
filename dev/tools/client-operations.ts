/** What the generators of the client libraries read of the API's document: its schemas, and the operations that get a method. */
import * as z from 'zod';
import { ROUTES } from '../../lambdas/management/routes/index.ts';
import { apiDocument } from './api-document.ts';

/** What is used of a JSON schema (JSON Schema 2020-12). */
export interface Schema {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  const?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: Schema | boolean | undefined;
  pattern?: string | undefined;
  description?: string | undefined;
}

const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(schemaSchema).optional(),
    oneOf: z.array(schemaSchema).optional(),
    items: schemaSchema.optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), schemaSchema]).optional(),
    pattern: z.string().optional(),
    description: z.string().optional(),
  }),
);

const contentSchema = z.object({ content: z.record(z.string(), z.object({ schema: schemaSchema })).optional() });

const operationSchema = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean(),
        description: z.string().optional(),
        schema: schemaSchema,
      }),
    )
    .default([]),
  requestBody: contentSchema.optional(),
  responses: z.record(z.string(), contentSchema),
});

/** One operation that the client libraries have a method for. */
export interface ClientOperation extends z.infer<typeof operationSchema> {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  /** Former spellings of parameters, with the ones that are described. */
  readonly formerQuery: Readonly<Record<string, string>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const operationsSchema = z.object({
  get: operationSchema.optional(),
  post: operationSchema.optional(),
  put: operationSchema.optional(),
  patch: operationSchema.optional(),
  delete: operationSchema.optional(),
});

const documentSchema = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), operationsSchema),
  components: z.object({ schemas: z.record(z.string(), schemaSchema) }),
});

/** Routes that people's browsers and other calls than the gateway's own use. */
const LEFT_OUT_TAGS: ReadonlySet<string> = new Set(['Browser', 'Proxy']);
const LEFT_OUT_OPERATIONS: ReadonlySet<string> = new Set(['openApiDocument']);

/** What the client libraries are made of. */
export interface ClientApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly ClientOperation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Reads the API's document. @throws ZodError for a document that the generators do not understand */
export function clientApi(): ClientApi {
  const { components, paths, tags } = documentSchema.parse(apiDocument('https://gateway.example/v1'));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation !== undefined && hasMethod(operation)
        ? [{ ...operation, method: method.toUpperCase(), path, formerQuery: formerQueryOf(method.toUpperCase(), path) }]
        : [];
    }),
  );
  return { tags, operations, schemas: components.schemas };
}

function formerQueryOf(method: string, path: string): Readonly<Record<string, string>> {
  return ROUTES.find((route) => route.method === method && route.pattern === path)?.formerQuery ?? {};
}

function hasMethod({ operationId, tags, responses }: z.infer<typeof operationSchema>): boolean {
  return !LEFT_OUT_OPERATIONS.has(operationId) && !LEFT_OUT_TAGS.has(tags[0]) && answersJson(responses);
}

/** Whether an operation makes something, so that it takes an `Idempotency-Key`. @throws Error for another header */
export function isOnce({ operationId, parameters }: ClientOperation): boolean {
  const names = parameters.flatMap((parameter) => (parameter.in === 'header' ? [parameter.name] : []));
  const other = names.find((name) => name !== 'Idempotency-Key');
  if (other !== undefined) throw new Error(`${operationId}: header ${other} is not understood.`);
  return names.length > 0;
}

/** Pages and scripts are for browsers. */
function answersJson(responses: z.infer<typeof operationSchema>['responses']): boolean {
  const contents = Object.entries(responses).flatMap(([status, { content }]) => (/^2/.test(status) ? [content] : []));
  return contents.every((content) => content === undefined || 'application/json' in content);
}
