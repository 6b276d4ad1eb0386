import { inspect } from 'node:util'
// Components and shortcodes of the project's own, which its configuration turns into elements.
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import {
  ALLOWED_ELEMENTS,
  type ElementMapping,
  type ElementMappings,
} from '../../core/model/element-mapping.ts'
import type { Problem } from '../../core/model/diagnostic.ts'

/** What one use of a component becomes. */
export interface OwnElement {
  readonly element: string
  /** The attribute of the element that an attribute of the component is; undefined: none. */
  readonly nameOf: (attribute: string) => string | undefined
  /** All attributes, where a function says them; then those that are written do not count. */
  readonly values: Readonly<Record<string, string>> | undefined
}

/** @param attributes of the use, as far as they are texts @throws KbError CONFIG_INVALID */
export type FindOwnElement = (
  name: string,
  attributes: () => Readonly<Record<string, string>>,
) => OwnElement | undefined

/**
 * @param key of the configuration, for messages
 * @param allowed elements beyond the usual ones
 */
export function createFindOwnElement(
  key: 'components' | 'shortcodes',
  mappings: ElementMappings | undefined,
  allowed: readonly string[] = [],
): FindOwnElement {
  if (mappings === undefined) return () => undefined
  if (typeof mappings !== 'function')
    return (name) => (Object.hasOwn(mappings, name) ? ofTable(mappings[name]) : undefined)
  const elements = new Set([...ALLOWED_ELEMENTS, ...allowed.map((tag) => tag.toLowerCase())])
  return (name, attributes) => {
    const result: unknown = call(() => mappings({ name, attributes: attributes() }), key, name)
    if (result === undefined || result === null) return undefined
    const { element, attributes: values } = Object(typeof result === 'string' ? { element: result } : result)
    if (!elements.has(element)) throw notAllowed(key, name, element ?? result)
    return {
      element,
      nameOf: (attribute) => attribute,
      values: typeof values === 'object' && values !== null ? textsOf(values) : undefined,
    }
  }
}

function ofTable(mapping: ElementMapping | undefined): OwnElement | undefined {
  if (mapping === undefined) return undefined
  if (typeof mapping === 'string') return { element: mapping, nameOf: (name) => name, values: undefined }
  const { element, attributes } = mapping
  const names = new Map(Object.entries(attributes ?? {}).map(([to, from]) => [from, to]))
  return {
    element,
    nameOf: (name) => (attributes === undefined ? name : names.get(name)),
    values: undefined,
  }
}

/** What is undefined, null or false is no attribute. */
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
      hint: 'It is called for every use; where it knows no element, let it return undefined.',
      cause,
    })
  }
}

function notAllowed(key: string, name: string, element: unknown): KbError {
  const shown = inspect(element, { depth: 0, breakLength: Infinity, maxStringLength: 80 })
  return new KbError(
    'CONFIG_INVALID',
    `The function ${key} of the configuration makes ${shown} of ${name}, which is no element of the allow-list.`,
    {
      hint: 'Return the name of an element, { element, attributes }, or undefined; markdown.allow.tags allows more.',
    },
  )
}

const NEEDED: Readonly<Record<string, string>> = { a: 'href', img: 'src' }

/** The attribute without which a reader sees nothing of an element, where that is missing. */
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
    message: `${name} became <${element}> without ${attribute}, so a reader sees nothing of it.`,
    hint: `Say in the configuration which of its attributes is the ${attribute}, or write it as text and not as an expression.`,
  }
}

/** A tag as raw HTML. */
export function openTag(element: string, attributes: Iterable<readonly [string, string]>): string {
  const written = [...attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return `<${element}${written.join('')}>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
