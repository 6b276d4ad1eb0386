import { Validator } from '@seriousme/openapi-schema-validator'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSlug } from '../../../src/api/contract/fields.ts'
import { openApiDocument } from '../../../src/api/contract/openapi.ts'
import { type Route, routes } from '../../../src/api/contract/routes.ts'
import { anyCharacter } from '../../support/any-character.ts'

interface Operation {
  readonly operationId: string
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, unknown>>
}

const document = openApiDocument('1.2.3') as {
  paths: Record<string, Record<string, Operation>>
  security: unknown
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('every reference leads to a schema', () => {
  const text = JSON.stringify(document)
  const { components } = document as unknown as { components: { schemas: object } }
  const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !(String(name) in components.schemas))).toEqual([])
})

test('its patterns need no syntax that Python, Go or Rust lack', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, text]) => JSON.parse(text as string) as string,
  )
  expect(patterns.length).toBeGreaterThan(20)
  expect(patterns.filter((pattern) => /\(\?[=!<]|\\(?:[pPu]|[1-9])/.test(pattern))).toEqual([])
  // In JavaScript, the pattern of a slug means what the service checks, except for two slugs.
  const slug = new RegExp(patterns.find((pattern) => pattern.endsWith('{1,200}$')) as string, 'u')
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 3 }), (text) => {
      fc.pre(text !== '.' && text !== '..')
      expect(slug.test(text)).toBe(isSlug(text))
    }),
  )
})

test('it contains the nine operations and the extensions, each with a key, its body and its failures', () => {
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()]
    expect(operation?.operationId).toBe(name)
    expect(operation?.requestBody === undefined).toBe(route.request === undefined && !route.takesFile)
    const known = name === 'readArticle' ? ['304'] : []
    const failures = [401, 429, 500, 503, ...route.failures].map(String).toSorted()
    const statuses = ['200', ...known, ...failures]
    expect(Object.keys(operation?.responses ?? {})).toEqual(statuses)
  }
  expect(Object.values(document.paths).flatMap((path) => Object.keys(path))).toHaveLength(17)
  expect(document.security).toEqual([{ bearer: [] }])
})
