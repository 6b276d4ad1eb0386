// The content of braces is JavaScript, which is never run. The value of some expressions is obvious.
import type { Problem } from '../../core/model/diagnostic.ts'
import { mayIgnore } from '../markdown/ignore-comments.ts'
import type { Conversion } from './conversion.ts'
import { readMember } from './page-values.ts'
import { paragraphOf, textNode, type TreeNode } from './tree-node.ts'
import { type HoleContext, isInBareUrl, unresolvedProblem } from './unresolved.ts'

/**
 * Converts an MDX expression: removes comments and keeps texts. For all others, adds a problem; in code and URLs, the
 * expression is shown.
 */
export function convertExpression(node: TreeNode, conversion: Conversion): TreeNode[] {
  const code = node.value ?? ''
  const shown = readExpression(code) ?? readConstant(code, conversion)
  // It becomes an HTML comment, as in plain Markdown.
  if (shown === '' && mayIgnore(code)) return [{ ...node, type: 'html', value: `<!--${code}-->` }]
  if (shown === '') return []
  if (shown !== undefined) {
    const text = textNode(shown, node.position)
    return node.type === 'mdxFlowExpression' ? [paragraphOf([text])] : [text]
  }
  const { start, end } = node.position ?? {}
  const context = contextAt(start?.offset, end?.offset, conversion)
  conversion.problems.push({ ...expressionProblem(`{${code}}`, context), ...conversion.ranges.of(node) })
  if (context === 'text') return []
  const text = textNode(/^`([^`]*)`$/.exec(code.trim())?.[1] ?? `{${code}}`, node.position)
  return node.type === 'mdxFlowExpression' ? [paragraphOf([text])] : [text]
}

/** Returns the context of an expression between two offsets in the text. */
export function contextAt(
  start: number | undefined,
  end: number | undefined,
  { code, text }: Pick<Conversion, 'code' | 'text'>,
): HoleContext {
  if (code > 0) return 'code'
  if (start === undefined || end === undefined) return 'text'
  const line = text.lastIndexOf('\n', start - 1) + 1
  return isInBareUrl(text.slice(line, start), text.slice(end, end + 4)) ? 'url' : 'text'
}

const SHOWN = 40

/** Returns a constant of the text, a value from its frontmatter, or a template of these. */
export function readConstant(code: string, conversion: Conversion): string | undefined {
  const { constants, values } = conversion
  const name = code.trim()
  const template = /^`([^`\\]*)`$/.exec(name)?.[1]
  if (template === undefined) return constants.get(name) ?? readMember(name, values)
  let isKnown = true
  const read = template.replace(/\$\{([^{}]*)\}/g, (_, inner: string) => {
    const known = readExpression(inner) ?? readConstant(inner, conversion)
    isKnown &&= known !== undefined
    return known ?? ''
  })
  return isKnown ? read : undefined
}

const CONSTANT = /^export const ([A-Za-z_$][\w$]*) ?= ?(.+)$/gm

/** Stores those constants of a module whose values can be read without running it. */
export function keepConstants(code: string, { constants }: Pick<Conversion, 'constants'>): void {
  for (const [, name = '', value = ''] of code.matchAll(CONSTANT)) {
    const read = readExpression(value.trim().replace(/;$/, ''))
    if (read !== undefined && read !== '') constants.set(name, read)
  }
}

/** Returns the problem for code that is not run, depending on its context. */
export function expressionProblem(
  written: string,
  context: HoleContext,
): Pick<Problem, 'code' | 'message' | 'hint'> {
  const line = written.replace(/\s+/g, ' ')
  const short = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
  if (context !== 'text') return unresolvedProblem(`The expression ${short}`, context)
  return {
    code: 'expression-removed',
    message: `The expression ${short} was removed, because kb-sync runs no code.`,
    hint: 'Write the text itself. To show braces, write them as `code`.',
  }
}

/** Returns the text of an expression: '' for a comment, the value of a literal; undefined if it must be run. */
export function readExpression(code: string): string | undefined {
  // Search limit: there is no end after the last one.
  const end = code.lastIndexOf('*/') + 1
  const bare = `${code.slice(0, end + 1).replace(/\/\*[\s\S]*?\*\//g, '')}${code.slice(end + 1)}`.trim()
  const meant = bare.startsWith('//') ? bare.replace(/^[^\S\n]*\/\/.*$/gm, '').trim() : bare
  if (meant === '' || /^(?:null|undefined|true|false)$/.test(meant)) return ''
  if (/^\d+(?:\.\d+)?$/.test(meant)) return meant
  return readString(meant)
}

/** Reads the URL of a file in an attribute: a literal, imported in place, or relative to the base URL of the site. */
export function readAddressExpression(code: string): string | undefined {
  const loaded = /^require\(\s*(['"`])([^'"`]+)\1\s*\)(?:\.default)?$/.exec(code.trim())?.[2]
  // `!` ends the names of webpack loaders.
  if (loaded !== undefined) return loaded.replace(/^.*!(?=.)/s, '')
  const based = /^useBaseUrl\(\s*(['"`])([^'"`]+)\1\s*(?:,[^()]*)?\)$/.exec(code.trim())?.[2]
  // The function adds the base URL to a path, with or without a leading slash, and leaves other URLs unchanged.
  return based === undefined || /^(?:[a-z][a-z\d+.-]*:|[/#])/i.test(based) ? based : `/${based}`
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function readString(code: string): string | undefined {
  const quoted = /^(['"`])((?:\\[^ux\d]|(?!\1)[^\\])*)\1$/s.exec(code)
  if (quoted === null) return undefined
  const [, quote, text = ''] = quoted
  if (quote === '`' && /(?<!\\)\$\{/.test(text)) return undefined
  return text.replace(/\\([\s\S])/g, (_, char: string) => (char === '\n' ? '' : (ESCAPES[char] ?? char)))
}
