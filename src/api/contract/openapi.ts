import { z } from 'zod'
import { EXTENSIONS_HEADER, type Route, type RouteName, routes } from './routes.ts'
import { FAILURES, type FailureStatus, wireError } from './wire-error.ts'

type Json = Readonly<Record<string, unknown>>

const COMMON_FAILURES: readonly FailureStatus[] = [401, 429, 500, 503]

const COMPONENT_PREFIX = '#/components/schemas/'

/**
 * Creates the OpenAPI 3.1 document of /api/v2 from the same schemas that server and client use.
 *
 * @param version version of the program that serves it
 */
export function openApiDocument(version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledge Base Content Service',
      version,
      description:
        'Articles, categories and tags of a knowledge base, and its review-date and link lists. The operations tagged ' +
        '"extensions", the parameters `lang`, `limit` and `cursor`, the headers `Location`, `ETag`, `If-Match`, `If-None-Match` and `Idempotency-Key`, and the schema ArticleLanguage go beyond the ' +
        `documented API. A service that offers them lists them in the ${EXTENSIONS_HEADER} header of OPTIONS /api/v2/articles. ` +
        'Responses of more than 1 kB are compressed with gzip if the request has Accept-Encoding: gzip.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'articles', description: 'Read, create and delete articles.' },
      { name: 'categories', description: 'List and update categories.' },
      { name: 'tags', description: 'Read and update tags.' },
      { name: 'tools', description: 'The reporting lists.' },
      { name: 'extensions', description: 'Extensions of this service beyond the documented API.' },
    ],
    paths: paths(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key of the account.' },
      },
      schemas: componentSchemas(),
    },
  }
}

function paths(): Json {
  const byPath: Record<string, Record<string, Json>> = {}
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const item = (byPath[route.path] ??= {})
    item[route.method.toLowerCase()] = operation(name, route)
  }
  return byPath
}

function operation(name: RouteName, route: Route): Json {
  const statuses = [...COMMON_FAILURES, ...route.failures].toSorted((a, b) => a - b)
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.extension === undefined ? route.path.split('/')[3] : 'extensions'],
    ...(route.extension && { 'x-extension': route.extension }),
    ...parametersOf(route),
    ...(route.request && { requestBody: { required: true, content: jsonContent(route.request) } }),
    ...(route.takesFile && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    responses: {
      200: successResponse(route),
      ...(route.conditions?.['If-None-Match'] !== undefined && {
        304: { description: 'The article still has the version in If-None-Match.' },
      }),
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: FAILURES[status], content: jsonContent(wireError) },
        ]),
      ),
    },
  }
}

function parametersOf(route: Route): { readonly parameters?: readonly Json[] } {
  const parameters = [
    ...(route.path.includes('{id}') ? [idParameter] : []),
    ...Object.entries(route.query?.shape ?? {}).map(([name, schema]) => queryParameter(name, schema)),
    ...Object.entries(route.conditions ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ]
  return parameters.length === 0 ? {} : { parameters }
}

function queryParameter(name: string, schema: z.core.$ZodType): Json {
  const { description, ...rest } = withoutIds(z.toJSONSchema(schema, { io: 'input' }))
  return { name, in: 'query', required: false, description, schema: rest }
}

function successResponse(route: Route): Json {
  return {
    description: 'The call was successful.',
    ...(route.headers && { headers: responseHeaders(route.headers) }),
    content: jsonContent(route.response),
  }
}

function responseHeaders(headers: NonNullable<Route['headers']>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

const idParameter: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the item.',
  schema: { type: 'string' },
}

function jsonContent(schema: z.ZodType): Json {
  const { id } = schema.meta() ?? {}
  return { 'application/json': { schema: { $ref: `${COMPONENT_PREFIX}${String(id)}` } } }
}

// zod's registry has the component name of each schema as `id`.
function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    uri: (id) => `${COMPONENT_PREFIX}${id}`,
    override: ({ jsonSchema }) => {
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = toPortable(jsonSchema.pattern)
    },
  })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIds(schema)]))
}

/**
 * Rewrites what tools in Python, Go and Rust cannot compile: property escapes, and the exclusion of the slugs `.` and
 * `..`, which the pattern then allows.
 */
function toPortable(pattern: string): string {
  return pattern
    .replace(String.raw`(?!\.{1,2}$)`, '')
    .replaceAll(String.raw`\p{Cc}`, String.raw`\x00-\x1f\x7f-\x9f`)
    .replaceAll(String.raw`\p{Bidi_C}`, '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069')
}

// `$schema`, `$id` and zod's `id` repeat what the position in the document expresses.
function withoutIds(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !['$schema', '$id', 'id'].includes(key)))
}
