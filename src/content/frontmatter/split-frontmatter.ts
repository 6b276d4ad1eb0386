import matter from 'gray-matter'
import { dialectOf, PRESET_NAMES } from '../../core/dialects/dialects.ts'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import { FRONTMATTER_START } from '../source/source-problem.ts'
import { parsePositionedYaml, type PositionedYaml } from './yaml-positions.ts'

export type SplitFile =
  | {
      readonly kind: 'split'
      readonly yaml: PositionedYaml
      readonly body: string
      /** Number of lines before the body. */
      readonly lineOffset: number
    }
  | { readonly kind: 'problem'; readonly problem: Problem }

const HINT_CLOSING = 'End it with a line that contains only ---.'
const HINT_BLOCK =
  "Start the file with a line ---, then `title: …`, then a line ---. To read files without it, set preset: 'folder'."
const HINT_BLANK = 'Delete the blank lines and spaces above the first ---.'

/** Splits a file (without byte order mark) into YAML frontmatter and Markdown body. */
export function splitFrontmatter(text: string): SplitFile {
  if (!/^---(?!-)/.test(text))
    return problem(
      'frontmatter-missing',
      'The file does not begin with frontmatter.',
      text.startsWith('+++') ? hintForToml() : /^\s+---\s/.test(text) ? HINT_BLANK : HINT_BLOCK,
      firstLine(text),
    )
  const language = matter.language(text).name
  if (language !== '' && language !== 'yaml' && language !== 'yml') return refuseLanguage(language, text)
  const closing = /\n---([^\r\n]*)/.exec(text)
  if (closing === null)
    return problem('frontmatter-syntax', 'The frontmatter is not closed.', HINT_CLOSING, FRONTMATTER_START)
  // gray-matter would end the block here and treat the rest of the line as text.
  const [, rest = ''] = closing
  if (rest.trim() !== '') {
    const line = countLineFeeds(text, closing.index + 1) + 1
    const message = `The frontmatter is not closed by "---${rest.trimEnd()}".`
    return problem('frontmatter-syntax', message, HINT_CLOSING, {
      line,
      column: 1,
      end: { line, column: 4 + rest.trimEnd().length },
    })
  }
  return splitYaml(text, closing.index + '\n---'.length)
}

function hintForToml(): string {
  const presets = PRESET_NAMES.filter(
    (name) => dialectOf(name).frontmatter.formats?.includes('toml') === true,
  )
  const set = presets.map((name) => `preset: '${name}'`).join(' or ')
  return `This is TOML: set ${set}, or write it as YAML between two lines ---.`
}

/**
 * gray-matter runs a `---js` block with eval, and restores this engine if `engines` lacks it. Therefore every engine is
 * replaced, by YAML or an error. An options object is always passed: without one, gray-matter caches the file and loses
 * an invalid header on the second call. It is given no more than the header, of which it makes several copies.
 *
 * @param end offset after the closing `---`
 */
function splitYaml(text: string, end: number): SplitFile {
  let yaml: PositionedYaml | undefined
  const parse = (block: string): object => {
    // The block ends before the last line feed, which would leave the CR of a CRLF line ending.
    yaml = parsePositionedYaml(block.replace(/\r$/, ''))
    return {}
  }
  matter(text.slice(0, end), {
    language: 'yaml',
    engines: { yaml: { parse }, json: refuse, javascript: refuse, js: refuse, coffee: refuse, toml: refuse },
  })
  const body = text.slice(end).replace(/^\r?\n?/, '')
  const lineOffset = countLineFeeds(text, text.length - body.length)
  return { kind: 'split', yaml: yaml ?? parsePositionedYaml(''), body, lineOffset }
}

const refuse = {
  parse(): never {
    throw new TypeError('kb-sync reads frontmatter only as YAML.')
  },
}

const OLD_LINE_ENDS = 'The lines of the file end with carriage returns only, so the whole file is one line.'
const HINT_LINE_ENDS = 'Save the file with line feeds (LF) in your editor.'
const MOST_SHOWN = 40

function refuseLanguage(language: string, text: string): SplitFile {
  const [opening = ''] = text.split(/\r?\n/, 1)
  if (opening.includes('\r'))
    return problem('frontmatter-syntax', OLD_LINE_ENDS, HINT_LINE_ENDS, FRONTMATTER_START)
  const name = language.length > MOST_SHOWN ? `${language.slice(0, MOST_SHOWN)}…` : language
  return problem(
    'frontmatter-engine',
    `The frontmatter is marked as "${name}". kb-sync reads only YAML and never runs code.`,
    'Write the values as YAML between two --- lines.',
    { line: 1, column: 4, end: { line: 1, column: opening.trimEnd().length + 1 } },
  )
}

function firstLine(text: string): Span {
  const [line = ''] = text.split(/\r?\n/, 1)
  const start = { line: 1, column: 1 }
  return line.trim() === '' ? start : { ...start, end: { line: 1, column: line.trimEnd().length + 1 } }
}

function countLineFeeds(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}

function problem(
  code: Problem['code'],
  message: string,
  hint: string,
  at: Span = { line: 1, column: 1 },
): SplitFile {
  return { kind: 'problem', problem: { code, message, hint, ...at } }
}
