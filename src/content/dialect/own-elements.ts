// The project's own components and shortcodes, which the configuration maps to elements.
import { inspect } from 'node:util'
import type { Schema } from 'hast-util-sanitize'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import type { ElementMapping, ElementMappings } from '../../core/model/element-mapping.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import { createSchema, isAllowedAttribute } from '../markdown/allow-schema.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'

export interface OwnElement {
  readonly element: string
  /** Returns the element's attribute for an attribute of the component; undefined: none. */
  readonly nameOf: (attribute: string) => string | undefined
  /** All attributes, if a function sets them; attributes in the text are then ignored. */
  readonly values: Readonly<Record<string, string>> | undefined
}

/**
 * @param attributes attributes with known texts
 * @throws KbError CONFIG_INVALID
 */
export type FindOwnElement = (
  name: string,
  attributes: () => Readonly<Record<string, string>>,
) => OwnElement | undefined

/**
 * Rejects mappings to attributes that are not allowed on their element, because they would always be removed.
 *
 * @throws KbError CONFIG_INVALID
 */
export function assertAttributesAllowed({ elements, allow }: MarkdownOptions): void {
  const schema = createSchema(allow)
  const problems = Object.entries(elements ?? {}).flatMap(([key, mappings]) =>
    typeof mappings === 'object' ? attributeProblems(key, mappings, schema) : [],
  )
  if (problems.length === 0) return
  throw new KbError(
    'CONFIG_INVALID',
    `The configuration has ${problems.length === 1 ? 'an error' : 'errors'}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    { hint: 'Remove the attribute, or allow it with markdown.allow.attributes.' },
  )
}

function attributeProblems(key: string, mappings: Readonly<Record<string, ElementMapping>>, schema: Schema) {
  return Object.entries(mappings).flatMap(([name, mapping]) => {
    if (typeof mapping === 'string') return []
    const { element, attributes = {} } = mapping
    return Object.keys(attributes)
      .filter((attribute) => !isAllowedAttribute(schema, element, attribute))
      .map(
        (attribute) => `${key}.${name}.attributes.${attribute}: <${element}> does not allow this attribute`,
      )
  })
}

/** @param key configuration key, for messages */
export function createFindOwnElement(
  key: 'components' | 'shortcodes',
  mappings: ElementMappings | undefined,
  allow: MarkdownOptions['allow'],
): FindOwnElement {
  if (mappings === undefined) return () => undefined
  if (typeof mappings !== 'function')
    return (name) => (Object.hasOwn(mappings, name) ? ofTable(mappings[name]) : undefined)
  const schema = createSchema(allow)
  const elements = new Set(schema.tagNames)
  return (name, attributes) => {
    const result: unknown = call(() => mappings({ name, attributes: attributes() }), key, name)
    if (result === undefined || result === null) return undefined
    const { element, attributes: values } = Object(typeof result === 'string' ? { element: result } : result)
    if (!elements.has(element)) throw notAllowed(key, name, element ?? result)
    const texts = typeof values === 'object' && values !== null ? textsOf(values) : undefined
    const refused = Object.keys(texts ?? {}).find((each) => !isAllowedAttribute(schema, element, each))
    if (refused !== undefined) throw attributeNotAllowed(key, name, element, refused)
    return { element, nameOf: (attribute) => attribute, values: texts }
  }
}

function ofTable(mapping: ElementMapping | undefined): OwnElement | undefined {
  if (mapping === undefined) return undefined
  if (typeof mapping === 'string') return { element: mapping, nameOf: (name) => name, values: undefined }
  const { element, attributes } = mapping
  const names = new Map(Object.entries(attributes ?? {}).map(([to, from]) => [from, to]))
  return { element, nameOf: (name) => (attributes === undefined ? name : names.get(name)), values: undefined }
}

function textsOf(values: object): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => ['string', 'number'].includes(typeof value))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function call(run: () => unknown, key: string, name: string): unknown {
  try {
    return run()
  } catch (cause) {
    const message = `The function ${key} of the configuration failed at ${name}: ${reasonOf(cause)}`
    throw new KbError('CONFIG_INVALID', message, {
      hint: 'It is called for every use. If it has no element for one, return undefined.',
      cause,
    })
  }
}

function notAllowed(key: string, name: string, element: unknown): KbError {
  const shown = inspect(element, { depth: 0, breakLength: Infinity, maxStringLength: 80 })
  return new KbError(
    'CONFIG_INVALID',
    `The function ${key} of the configuration returned ${shown} for ${name}, which is not an element of the allow-list.`,
    {
      hint: 'Return the name of an element, { element, attributes }, or undefined. markdown.allow.tags allows more elements.',
    },
  )
}

function attributeNotAllowed(key: string, name: string, element: string, attribute: string): KbError {
  return new KbError(
    'CONFIG_INVALID',
    `The function ${key} of the configuration gave the <${element}> for ${name} the attribute ${attribute}, which is not allowed.`,
    { hint: 'Remove the attribute, or allow it with markdown.allow.attributes.' },
  )
}

const NEEDED: Readonly<Record<string, string>> = { a: 'href', img: 'src' }

/** Returns the missing attribute without which an element is invisible, or undefined if none is missing. */
export function missingAttribute(element: string, has: (attribute: string) => boolean): string | undefined {
  const needed = NEEDED[element]
  return needed === undefined || has(needed) ? undefined : needed
}

export function withoutAttribute(
  name: string,
  element: string,
  attribute: string,
): Pick<Problem, 'message' | 'hint'> {
  return {
    message: `${name} became <${element}> without ${attribute}, so readers cannot see it.`,
    hint: `Set in the configuration which of its attributes is the ${attribute}, or write it as text instead of an expression.`,
  }
}

/** Returns a start tag as raw HTML. */
export function openTag(element: string, attributes: Iterable<readonly [string, string]>): string {
  const written = [...attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return `<${element}${written.join('')}>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
