import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as formats from 'ajv-formats'

interface Exchange {
  readonly method: string
  /** As the document writes it, with `{id}`. */
  readonly path: string
  readonly requestBody?: unknown
  readonly status: number
  readonly type: string | null
  readonly body: unknown
}

interface Operation {
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

/** What an OpenAPI document says about the answer of an operation. */
export interface OpenApiValidator {
  /** How the exchange departs from the document; empty where it does not. */
  problemsOf(exchange: Exchange): string[]
}

const JSON_TYPE = 'application/json'

/** Compiles a served OpenAPI 3.1 document: its schemas are JSON Schema of 2020-12. */
export function createOpenApiValidator(document: object): OpenApiValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  formats.default.default(ajv)
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }

  function schemaAt(...pointer: string[]): ValidateFunction {
    const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    const ref = `openapi#/${path.join('/')}`
    const known = compiled.get(ref) ?? ajv.compile({ $ref: ref })
    compiled.set(ref, known)
    return known
  }

  function problemsAt(what: string, value: unknown, ...pointer: string[]): string[] {
    const isValid = schemaAt(...pointer, 'content', JSON_TYPE, 'schema')
    if (isValid(value)) return []
    return (isValid.errors ?? []).map((error) => `${what}${error.instancePath} ${String(error.message)}`)
  }

  return {
    problemsOf({ method, path, requestBody, status, type, body }) {
      const verb = method.toLowerCase()
      const operation = paths[path]?.[verb]
      if (operation === undefined) return [`${method} ${path} is not documented`]
      const code = String(status)
      if (operation.responses[code] === undefined) return [`${method} ${path} does not document ${code}`]
      const at = ['paths', path, verb]
      return [
        ...(type?.split(';')[0] === JSON_TYPE ? [] : [`the content type is ${String(type)}`]),
        ...problemsAt('answer', body, ...at, 'responses', code),
        ...(status === 200 && operation.requestBody !== undefined
          ? problemsAt('accepted request', requestBody, ...at, 'requestBody')
          : []),
      ]
    },
  }
}
