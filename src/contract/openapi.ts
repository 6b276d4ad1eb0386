import { z } from 'zod'
import { type Route, type RouteName, routes } from './routes.ts'
import { FAILURES, type FailureStatus, wireError } from './wire-error.ts'

type Json = Readonly<Record<string, unknown>>

/** Failures that any operation may answer with. */
const COMMON_FAILURES: readonly FailureStatus[] = [401, 500, 503]

const COMPONENT_PREFIX = '#/components/schemas/'

/**
 * The OpenAPI 3.1 document of /api/v2, made from the same schemas that server and client use.
 *
 * @param version version of the program that serves it
 */
export function openApiDocument(version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledge Base Content Service',
      version,
      description: 'Articles, categories and tags of a knowledge base, and its review-date and link lists.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [{ name: 'articles' }, { name: 'categories' }, { name: 'tags' }, { name: 'tools' }],
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
    tags: [route.path.split('/')[3]],
    ...(route.path.includes('{id}') && { parameters: [idParameter] }),
    ...(route.request && { requestBody: { required: true, content: jsonContent(route.request) } }),
    responses: {
      200: { description: 'The call was successful.', content: jsonContent(route.response) },
      ...Object.fromEntries(statuses.map((status) => [status, failureResponse(status)])),
    },
  }
}

const idParameter: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the item.',
  schema: { type: 'string' },
}

function failureResponse(status: FailureStatus): Json {
  return { description: FAILURES[status], content: jsonContent(wireError) }
}

function jsonContent(schema: z.ZodType): Json {
  const { id } = schema.meta() ?? {}
  return { 'application/json': { schema: { $ref: `${COMPONENT_PREFIX}${String(id)}` } } }
}

// Schemas carry their component name as `id` in zod's own registry, which gathers them all.
function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    uri: (id) => `${COMPONENT_PREFIX}${id}`,
  })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIds(schema)]))
}

// `$schema`, `$id` and zod's own `id` say again what the place in the document says.
function withoutIds(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !['$schema', '$id', 'id'].includes(key)))
}
