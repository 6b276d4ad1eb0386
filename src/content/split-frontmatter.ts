import matter from 'gray-matter'
import type { Position, Problem } from '../model/diagnostic.ts'
import { parsePositionedYaml, type PositionedYaml } from './yaml-positions.ts'

export type SplitFile =
  | {
      readonly kind: 'split'
      readonly yaml: PositionedYaml
      readonly body: string
      /** Lines of the file before the body. */
      readonly lineOffset: number
    }
  | { readonly kind: 'problem'; readonly problem: Problem }

const HINT_CLOSING = 'End it with a line that holds only ---.'
const HINT_BLOCK = 'Begin the file with a line ---, then `title: …`, then a line ---.'

/** Splits a file (without byte order mark) into its YAML frontmatter and its Markdown body. */
export function splitFrontmatter(text: string): SplitFile {
  if (!/^---(?!-)/.test(text))
    return problem('frontmatter-missing', 'The file does not begin with frontmatter.', HINT_BLOCK)
  const language = matter.language(text).name
  if (language !== '' && language !== 'yaml' && language !== 'yml') return refuseLanguage(language)
  const closing = /\n---([^\r\n]*)/.exec(text)
  if (closing === null) return problem('frontmatter-syntax', 'The frontmatter is never closed.', HINT_CLOSING)
  // gray-matter would end the block here all the same and take the rest of the line for text.
  const [, rest = ''] = closing
  if (rest.trim() !== '') {
    const line = countLineFeeds(text, closing.index + 1) + 1
    const message = `The frontmatter is not closed by "---${rest.trimEnd()}".`
    return problem('frontmatter-syntax', message, HINT_CLOSING, { line, column: 1 })
  }
  return splitYaml(text)
}

/**
 * gray-matter's own engines run a `---js` block through eval, and leaving an engine out of `engines` puts the default
 * back. So every engine is replaced: by YAML or by a refusal. An options object is always passed, since without one
 * gray-matter answers from a cache that loses a broken header the second time.
 */
function splitYaml(text: string): SplitFile {
  let yaml: PositionedYaml | undefined
  const parse = (block: string): object => {
    // The block ends before the last line feed: in a CRLF file that cuts a line end in two.
    yaml = parsePositionedYaml(block.replace(/\r$/, ''))
    return {}
  }
  const file = matter(text, {
    language: 'yaml',
    engines: { yaml: { parse }, json: refuse, javascript: refuse, js: refuse, coffee: refuse, toml: refuse },
  })
  const lineOffset = countLineFeeds(text, text.length - file.content.length)
  return { kind: 'split', yaml: yaml ?? parsePositionedYaml(''), body: file.content, lineOffset }
}

const refuse = {
  parse(): never {
    throw new TypeError('Frontmatter is read as YAML only.')
  },
}

function refuseLanguage(language: string): SplitFile {
  return problem(
    'frontmatter-engine',
    `The frontmatter is marked as "${language}"; only YAML is read, and nothing in it is ever run.`,
    'Write the values as YAML between two lines ---.',
    { line: 1, column: 4 },
  )
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
  at: Position = { line: 1, column: 1 },
): SplitFile {
  return { kind: 'problem', problem: { code, message, hint, ...at } }
}
