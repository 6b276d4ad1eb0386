import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, type Document, type Pair } from 'yaml'
import type { Frontmatter } from '../../core/model/document.ts'
import { parseAnyYaml } from '../frontmatter/flat-yaml.ts'
import { FRONTMATTER_KEYS } from '../frontmatter/frontmatter-schema.ts'
import { lineEndOf, splitFile } from './split-file.ts'
import { applyTextEdits, lineEndAfter, lineStartAt, type TextEdit } from '../../core/text-edits.ts'
import { editList, formatText, formatValue } from './yaml-values.ts'
import type { FieldValue } from '../../core/model/article-difference.ts'
import { tryTo } from '../../core/try-to.ts'

/** New values by key; null or undefined removes the key. */
export type FrontmatterChanges = { readonly [Key in keyof Frontmatter]?: Frontmatter[Key] | null }

/**
 * Changes fields in the frontmatter of a file's whole text. Lines of other keys, comments, blank lines, line endings,
 * byte order mark and body stay byte-identical; a changed value keeps its quotes and its list style. New keys are added
 * at the end, in the order of the schema.
 */
export function editFrontmatter(text: string, changes: FrontmatterChanges): string {
  const { head, body } = splitFile(text)
  const eol = lineEndOf(text)
  const start = head.indexOf('\n') + 1
  const end = head.indexOf('\n---') + 1
  const yaml = head.slice(start, end)
  return `${head.slice(0, start)}${editYaml(yaml, changes, eol)}${head.slice(end)}${body}`
}

/** Edits YAML without delimiters, with any keys. `keys` is the order of new keys. */
export function editYaml(
  yaml: string,
  changes: Readonly<Record<string, unknown>>,
  eol: string,
  keys: readonly string[] = FRONTMATTER_KEYS,
): string {
  const document = parseAnyYaml(yaml)
  const wanted = wantedValues(document, changes)
  const isUsual = Object.values(changes).every(isFieldValue)
  const edited = isUsual ? applyTextEdits(yaml, editsOf(yaml, document, changes, { eol, keys })) : ''
  if (isUsual && readsAs(edited, wanted)) return edited
  // Anchors, a mapping in braces, or keys written with `?`: not every byte can be kept.
  const rewritten = rewriteDocument(document, changes).replaceAll(/\r?\n/g, eol)
  return readsAs(rewritten, wanted) ? rewritten : writeValues(wanted, eol)
}

function isFieldValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string')
  return typeof value !== 'object' || value === null
}

function wantedValues(document: Document, changes: Readonly<Record<string, unknown>>) {
  const values = { ...(document.toJS() as Record<string, unknown> | null) }
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined) delete values[key]
    else values[key] = value
  }
  return values
}

function readsAs(yaml: string, wanted: Record<string, unknown>): boolean {
  const document = parseAnyYaml(yaml)
  if (document.errors.length > 0) return false
  return tryTo(() => isDeepStrictEqual({ ...(document.toJS() as object | null) }, wanted), false)
}

function editsOf(
  yaml: string,
  document: Document,
  changes: Readonly<Record<string, unknown>>,
  { eol, keys }: { readonly eol: string; readonly keys: readonly string[] },
): TextEdit[] {
  const pairs = isMap(document.contents) && document.contents.flow !== true ? document.contents.items : []
  const changed = keys.filter((key) => key in changes)
  const known = changed.flatMap((key) => {
    const pair = pairs.find((each) => isScalar(each.key) && each.key.value === key)
    return pair === undefined
      ? []
      : editPair(yaml, pair, (changes[key] ?? undefined) as FieldValue | undefined, eol)
  })
  const isKnown = (key: string): boolean => pairs.some((each) => isScalar(each.key) && each.key.value === key)
  const inBlocks = pairs.some(({ value }) => isBlockList(value))
  const added = changed
    .filter((key) => !isKnown(key) && changes[key] !== null && changes[key] !== undefined)
    .map((key) => newLines(key, changes[key] as FieldValue, inBlocks, eol))
    .join('')
  const gap = yaml === '' || yaml.endsWith('\n') ? '' : eol
  return added === '' ? known : [...known, { from: yaml.length, to: yaml.length, text: gap + added }]
}

function isBlockList(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'items' in value &&
    !('flow' in value && value.flow === true)
  )
}

function newLines(key: string, value: FieldValue, inBlocks: boolean, eol: string): string {
  if (typeof value !== 'object' || !inBlocks || value.length === 0)
    return `${key}: ${formatValue(value)}${eol}`
  return `${key}:${eol}${value.map((item) => `  - ${formatText(item)}${eol}`).join('')}`
}

function editPair(yaml: string, pair: Pair, value: FieldValue | undefined, eol: string): TextEdit[] {
  const keyRange = isScalar(pair.key) ? pair.key.range : undefined
  if (!keyRange) return []
  const node = pair.value
  const range = rangeOf(node)
  if (value === undefined) return [removal(yaml, keyRange[0], range?.[1] ?? keyRange[1])]
  if (node !== null && isNodeWithValue(node) && isDeepStrictEqual(node.toJSON(), value)) return []
  if (typeof value === 'object' && node !== null) {
    const edits = editList(yaml, node, value, eol)
    if (edits !== undefined) return edits
  }
  const after = isScalar(node) ? node.type : undefined
  const text = formatValue(value, { quotes: after })
  const colon = yaml.indexOf(':', keyRange[1]) + 1
  const from = range === undefined || range[0] === range[1] ? colon : range[0]
  const to = range === undefined ? colon : Math.max(range[1], from)
  // A block scalar or a list starts below its key; a value on one line is beside it.
  const isBelow = yaml.slice(colon, from).includes('\n')
  const isWholeLines = yaml.slice(from, to).endsWith('\n')
  const start = isBelow ? colon : from
  const lead = start === colon ? ' ' : ''
  return [{ from: start, to, text: `${lead}${text}${isWholeLines ? eol : ''}` }]
}

function isNodeWithValue(node: unknown): node is { toJSON: () => unknown } {
  return typeof node === 'object' && node !== null && 'toJSON' in node
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  return (node.range as [number, number, number] | null | undefined) ?? undefined
}

function removal(yaml: string, keyStart: number, valueEnd: number): TextEdit {
  const from = lineStartAt(yaml, keyStart)
  const to = yaml.charAt(valueEnd - 1) === '\n' ? valueEnd : lineEndAfter(yaml, valueEnd)
  return { from, to, text: '' }
}

function rewriteDocument(document: Document, changes: Readonly<Record<string, unknown>>): string {
  const copy = document.clone()
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined) copy.delete(key)
    else copy.set(key, value)
  }
  // It throws for an alias whose anchor was removed.
  return tryTo(() => copy.toString({ lineWidth: 0 }), '')
}

/** Formats values as frontmatter, one key per line, in this order. */
export function writeValues(values: Readonly<Record<string, unknown>>, eol: string): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}: ${formatValue(value as FieldValue)}${eol}`)
    .join('')
}

/** Returns the text of a new file: frontmatter in the order of the schema, an empty line, and the body. */
export function createArticleFile(frontmatter: Frontmatter, body: string): string {
  const keys = FRONTMATTER_KEYS as (keyof Frontmatter)[]
  const values = keys.flatMap((key) =>
    frontmatter[key] === undefined ? [] : [[key, frontmatter[key]] as const],
  )
  const text = body.replace(/^\s*\n/, '')
  return `---\n${writeValues(Object.fromEntries(values), '\n')}---\n${text.trim() === '' ? '' : `\n${text}`}`
}
