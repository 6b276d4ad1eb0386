import type { Problem } from '../../core/model/diagnostic.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { parsePositionedToml } from './toml-positions.ts'
import { type SplitFile, splitFrontmatter } from './split-frontmatter.ts'
import { parsePositionedYaml } from './yaml-positions.ts'
import { FRONTMATTER_START } from '../source/source-problem.ts'

export type FrontmatterFormat = 'yaml' | 'toml' | 'json' | 'none'

/** Detects the format of the frontmatter. `none`: there is only text. */
export function formatOf(text: string, dialect: Dialect | undefined): FrontmatterFormat {
  if (dialect === undefined) return 'yaml'
  const { formats = [] } = dialect.frontmatter
  if (formats.includes('toml') && /^\+\+\+[ \t]*\r?\n/.test(text)) return 'toml'
  // Two braces start a shortcode.
  if (formats.includes('json') && /^\{(?!\{)/.test(text)) return 'json'
  return /^---(?!-)/.test(text) ? 'yaml' : 'none'
}

/**
 * Splits a file (without byte order mark) like the tool: frontmatter is optional and may be TOML or JSON. Without a
 * dialect, uses `splitFrontmatter`.
 */
export function splitToolFile(text: string, dialect: Dialect | undefined): SplitFile {
  switch (formatOf(text, dialect)) {
    case 'yaml':
      return splitFrontmatter(text)
    case 'none':
      return { kind: 'split', yaml: parsePositionedYaml(''), body: text, lineOffset: 0 }
    case 'toml':
      return splitToml(text)
    case 'json':
      return splitJson(text)
  }
}

function splitToml(text: string): SplitFile {
  const start = text.indexOf('\n') + 1
  const closing = /^\+\+\+[ \t]*\r?$/m.exec(text.slice(start))
  if (closing === null) return unclosed('End it with a line that contains only +++.')
  const end = start + closing.index
  const next = text.indexOf('\n', end)
  return split(text, next === -1 ? text.length : next + 1, parsePositionedToml(text.slice(start, end), 1))
}

function unclosed(hint: string): SplitFile {
  const problem: Problem = {
    code: 'frontmatter-syntax',
    message: 'The frontmatter is not closed.',
    hint,
    ...FRONTMATTER_START,
  }
  return { kind: 'problem', problem }
}

function splitJson(text: string): SplitFile {
  const end = endOfJson(text)
  if (end === undefined) return unclosed('Close its first { with a }.')
  const [rest = ''] = /^[ \t]*\r?\n?/.exec(text.slice(end)) ?? []
  const json = parsePositionedYaml(text.slice(0, end))
  const errors = json.errors.map((error) => ({ ...error, hint: JSON_HINT }))
  return split(text, end + rest.length, { ...json, errors, format: 'JSON' })
}

const JSON_HINT = 'Put keys and text in double quotes, and separate the entries with commas.'

function split(text: string, bodyStart: number, yaml: ReturnType<typeof parsePositionedYaml>): SplitFile {
  const lineOffset = text.slice(0, bodyStart).split('\n').length - 1
  return { kind: 'split', yaml, body: text.slice(bodyStart), lineOffset }
}

/** Returns the offset after the object at the start of `text`, or undefined if it is not closed. */
export function endOfJson(text: string): number | undefined {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}]/gs)) {
    if (token === '{') depth++
    if (token === '}' && --depth === 0) return index + 1
  }
  return undefined
}
