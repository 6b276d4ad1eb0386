import type { Span, TextChange, Problem } from '../../core/model/diagnostic.ts'
import { isOneEdit, nearest } from '../../core/nearest.ts'
import { isCalendarDate } from '../../core/calendar-date.ts'
import { isSlug, NOT_IN_SLUGS } from '../../api/contract/fields.ts'
import { isScalar } from 'yaml'
import { pluralize } from '../../core/pluralize.ts'
import { parseAnyYaml } from './flat-yaml.ts'

interface UnknownKey {
  readonly code: Problem['code']
  readonly key: string
  /** Position of the key. */
  readonly span: Span
  /** Keys that are valid at this level. */
  readonly known: readonly string[]
  /** The object that contains the key. */
  readonly entry: object
  /** Unknown keys in that object. */
  readonly unknown: readonly string[]
  /** Returns true if the value is valid for a key. */
  readonly fits: (key: string) => boolean
}

export function unknownKeyProblem({ code, key, span, known, entry, unknown, fits }: UnknownKey): Problem {
  const free = known.filter((each) => !Object.hasOwn(entry, each))
  const others = unknown.filter((other) => other !== key)
  const fix = fixKey(key, span, { free, others, fits })
  const twin = known.find((each) => Object.hasOwn(entry, each) && isTypo(key, each))
  const meant = nearest(key, free)
  const hint =
    twin !== undefined
      ? `"${twin}" already exists: remove one of the two.`
      : meant === undefined
        ? `The known keys are ${known.join(', ')}.`
        : `Did you mean "${meant}"?`
  return { code, message: `Unknown key "${key}".`, hint, ...span, ...(fix && { fix: [fix] }) }
}

/** Corrects the spelling of a key if there is only one candidate, a typo explains it, and the value is valid for it. */
export function fixKey(
  key: string,
  { line, column, end }: Span,
  { free, others, fits }: Pick<UnknownKey, 'fits'> & Readonly<Record<'free' | 'others', readonly string[]>>,
): TextChange | undefined {
  const [meant, ...more] = free.filter((candidate) => isTypo(key, candidate))
  if (meant === undefined || more.length > 0 || !fits(meant)) return undefined
  if (others.some((other) => nearest(other, [meant]) !== undefined)) return undefined
  return end === undefined ? undefined : { start: { line, column }, end, text: meant }
}

function isTypo(written: string, meant: string): boolean {
  return isOneEdit(fold(written), fold(meant))
}

function fold(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, '')
}

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|z|[+-]\d{2}(?::?\d{2})?)?$/
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/

/**
 * Returns the calendar date that `text` certainly means, such as `2027/1/31`, `31.1.2027` or the date of a timestamp;
 * otherwise undefined. `03/04/2027` can be in April or in March, so the author must decide.
 */
export function fixDate(text: string): string | undefined {
  const written = text.trim()
  if (/^never$/i.test(written)) return 'never'
  const date = TIMESTAMP.exec(written)?.[1] ?? yearFirst(written) ?? yearLast(written)
  return date !== undefined && isCalendarDate(date) ? date : undefined
}

function yearFirst(text: string): string | undefined {
  const [, year = '', , month = '', day = ''] = YEAR_FIRST.exec(text) ?? []
  return join(year, month, day)
}

function yearLast(text: string): string | undefined {
  const [, first = '', separator, second = '', year = ''] = YEAR_LAST.exec(text) ?? []
  // Dates with dots never start with the month.
  const isDayFirst = separator === '.' || Number(first) > 12 || first === second
  if (isDayFirst) return join(year, second, first)
  return Number(second) > 12 ? join(year, first, second) : undefined
}

function join(year: string, month: string, day: string): string | undefined {
  return year === '' ? undefined : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

export const STATES = ['draft', 'published']

/** Words that differ in one letter from `draft`, `published`, `publish` or `status`, but have a meaning of their own. */
const OTHER_WORDS =
  /^(?:craft|daft|draftee|drafts|drafty|drat|drift|graft|kraft|raft|publishe[rs]|states|stats|statue|stratus)$/

/** Returns true if the word is `meant` except for its case or a typo. A key with a prefix (`x-draft`) is no typo. */
export function isMisspelt(word: string, meant: string): boolean {
  const lower = word.toLowerCase()
  return /^\p{L}+$/u.test(lower) && isOneEdit(lower, meant) && !OTHER_WORDS.test(lower)
}

/** Returns the status that `text` certainly means. Similar words may mean the opposite: `unpublished`. */
export function fixStatus(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'publish') return 'published'
  return STATES.find((state) => state === word || isMisspelt(word, state))
}

/** Replaces disallowed characters in a slug with hyphens; undefined if nothing is left. Letters stay. */
export function fixSlug(text: string): string | undefined {
  const fixed = text
    .trim()
    .replace(NOT_IN_SLUGS, '-')
    .replace(/^-+|-+$/g, '')
  return isSlug(fixed) ? fixed : undefined
}

/**
 * Changes a YAML value on one line, `written` at `place` and read as `value`, to `wanted`, and keeps the quotes of a text.
 * Returns undefined if the change is not obvious: an alias, a multi-line text, escapes.
 */
export function fixScalar(
  written: string,
  value: string,
  wanted: string | number | boolean,
  { end, ...start }: Span,
): TextChange | undefined {
  if (end === undefined || end.line !== start.line || value === '' || !written.includes(value))
    return undefined
  const text = typeof wanted === 'string' ? written.replace(value, () => wanted) : String(wanted)
  const { line, column } = start
  return readsAs(text, wanted) ? { start: { line, column }, end, text } : undefined
}

function readsAs(text: string, wanted: string | number | boolean): boolean {
  const { errors, contents } = parseAnyYaml(`k: [${text}]`)
  if (errors.length > 0) return false
  const node: unknown = parseAnyYaml(`k: ${text}`).get('k', true)
  return contents !== null && isScalar(node) && node.value === wanted
}

/** Reports the removal of trailing white space as one problem, at the first position; [] if there is none. */
export function trailingSpaceProblem(changes: readonly TextChange[]): Problem[] {
  const [first] = changes
  if (first === undefined) return []
  return [
    {
      code: 'trailing-space',
      message: `There is white space at the end of ${pluralize(changes.length, 'line')}.`,
      hint: 'kb check --fix removes it. Many editors can remove it when they save.',
      ...first.start,
      end: first.end,
      fix: changes,
    },
  ]
}

/** Merges the problems of frontmatter and text into one for the file. */
export function joinTrailingSpaces(problems: readonly Problem[]): Problem[] {
  const found = problems.filter(({ code }) => code === 'trailing-space')
  if (found.length < 2) return [...problems]
  const others = problems.filter(({ code }) => code !== 'trailing-space')
  return [...others, ...trailingSpaceProblem(found.flatMap(({ fix = [] }) => fix))]
}
