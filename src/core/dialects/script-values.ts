// Configurations of tools are programs, which are not run: only plain values are read. The user supplies the rest.
import { existsSync, readFileSync } from 'node:fs'
import { isLanguageCode } from '../language-code.ts'

const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

/** Finds a script by its path without extension; undefined if there is none. */
export function findScript(path: string): string | undefined {
  return EXTENSIONS.map((extension) => `${path}.${extension}`).find((each) => existsSync(each))
}

/** Returns the text of a script without comments, with string constants inlined where its values name them. */
export function readScript(path: string): string | undefined {
  const file = findScript(path)
  return file === undefined ? undefined : withConstants(withoutComments(readFileSync(file, 'utf8')))
}

const CONSTANT = /^(?:export[ \t]+)?const[ \t]+(\w+)[ \t]*=[ \t]*(["'`])([^"'`\\$\n]*)\2[ \t]*(?:;|$)/gm

/** Inlines a constant that is a value by itself (after a colon), or is used in a template literal. */
function withConstants(script: string): string {
  const texts = new Map(Array.from(script.matchAll(CONSTANT), ([, name = '', , text = '']) => [name, text]))
  const replaced = (whole: string, name: string, quote: string) => {
    const text = texts.get(name)
    return text === undefined ? whole : quote + text + quote
  }
  return script
    .replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => replaced(whole, name, ''))
    .replaceAll(/(?<=:[ \t]*)(?<![\w.$])\w+(?=[ \t]*[,}\n])/g, (name) => replaced(name, name, "'"))
}

/** Returns the first string after `key:` in a script. */
export function findText(script: string, key: string): string | undefined {
  return new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*(["'\`])([^"'\`$\n]*)\1`).exec(script)?.[2]
}

const TEXT = /(["'`])((?:(?!\1)[^\\$\n])*)\1/g

/** Returns the strings of the first list after `key:`, or undefined if there is none or it contains anything else. */
export function findTexts(script: string, key: string): string[] | undefined {
  const list = findList(script, key)
  return list?.replaceAll(TEXT, '').replaceAll(/[\s,]/g, '') === '' ? textsIn(list) : undefined
}

/** Like `findTexts`, but ignores other items in the list. */
export function findAnyTexts(script: string, key: string): string[] {
  return textsIn(findList(script, key) ?? '')
}

/** Returns the objects that start at the end of each match of a pattern, from brace to brace, without those within them. */
export function blocksBehind(script: string, pattern: RegExp): string[] {
  return [...script.matchAll(pattern)].map(({ 0: found, index }) => {
    let block = ''
    let depth = 0
    for (const piece of piecesOf(script.slice(index + found.length))) {
      if (piece === '{') depth++
      if (depth === 1) block += piece
      if (piece === '}' && --depth === 0) return block
    }
    return ''
  })
}

const MOST_LEVELS = 100

/** Returns the first list or object after `key:`; see `readLiteral`. */
export function findLiteral(script: string, key: string, needed: readonly string[]): unknown {
  const start = new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*(?=[[{])`).exec(script)
  return start === null ? undefined : readLiteral(script.slice(start.index + start[0].length), needed)
}

/**
 * Returns the list or object at the start of a script. Values that are not literals are left out. If one of them is an
 * item of a list or the value of a `needed` key, at any depth, the result is undefined.
 */
export function readLiteral(script: string, needed: readonly string[]): unknown {
  try {
    return createReadValue(createTokens(script), needed)(0)
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

function createReadValue(tokens: Tokens, needed: readonly string[]): (depth: number) => unknown {
  const { step, isAt } = tokens
  const isEnd = () => ['', ',', '}', ']'].some(isAt)
  const read = (depth: number): unknown => {
    if (depth > MOST_LEVELS) throw new NoLiteral()
    const value = isAt('[')
      ? readItems(depth)
      : isAt('{')
        ? readMembers(depth)
        : isAt('(')
          ? undefined
          : valueOf(step())
    if (depth === 0 || isEnd()) return value
    const isTyped = isAt('as') || isAt('satisfies')
    // A type assertion, an operator or a call follows.
    skipExpression(tokens, isEnd)
    return isTyped ? value : undefined
  }
  const readItems = (depth: number): unknown[] => {
    const items: unknown[] = []
    step()
    while (!isAt(']')) {
      const item = read(depth + 1)
      if (item === undefined) throw new NoLiteral()
      items.push(item)
      if (isAt(',')) step()
    }
    step()
    return items
  }
  const readMembers = (depth: number): Record<string, unknown> => {
    const members: [string, unknown][] = []
    step()
    while (!isAt('}')) {
      const written = step()
      const key = /^[\w$]+$/.test(written) ? written : valueOf(written)
      if (typeof key !== 'string' || step() !== ':') throw new NoLiteral()
      const value = read(depth + 1)
      if (value !== undefined) members.push([key, value])
      else if (needed.includes(key)) throw new NoLiteral()
      if (isAt(',')) step()
    }
    step()
    return Object.fromEntries(members)
  }
  return read
}

function skipExpression({ step, isAt }: Tokens, isEnd: () => boolean): void {
  let depth = 0
  while (!isAt('') && (depth > 0 || !isEnd())) {
    const token = step()
    if (/^[([{]$/.test(token)) depth++
    if (/^[)\]}]$/.test(token)) depth--
  }
}

type Tokens = ReturnType<typeof createTokens>

function createTokens(script: string) {
  const pieces = piecesOf(script)
  const read = (): string => {
    for (let { value, done } = pieces.next(); done !== true; { value, done } = pieces.next())
      if (value.trim() !== '') return value
    return ''
  }
  let next = read()
  const step = () => {
    const token = next
    next = read()
    return token
  }
  return {
    /** Returns the next token and advances; '' at the end. */
    step,
    isAt: (token: string) => next === token,
  }
}

class NoLiteral extends Error {}

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

/** Returns the value of a single token, or undefined for a name or a template literal with expressions. */
function valueOf(piece: string): unknown {
  if (/^\d+$/.test(piece)) return Number(piece)
  const [, , text] = /^(["'`])([^]*)\1$/.exec(piece) ?? []
  return text === undefined ? WORDS[piece] : text.replace(/\\(["'`\\])/g, '$1')
}

function findList(script: string, key: string): string | undefined {
  return new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*\[([^\]]*)\]`).exec(script)?.[1]
}

function textsIn(list: string): string[] {
  return [...list.matchAll(TEXT)].map(([, , text = '']) => text)
}

const COMMENT = /\/\/.*|\/\*[^]*?(?:\*\/|$)/y
const TEXT_OR_SIGN = /(["'])(?:\\[^]|(?!\1)[^\\\n])*\1?|\s+|[\w$]+|[^]/y
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y
/** A part of a template literal, between its ends and expressions. */
const TEMPLATE = /[`}](?:\\[^]|\$(?!\{)|[^\\`$])*(?:`|\$\{|$)/y

/** After these tokens, a slash is a division; elsewhere, it starts a regular expression or a comment. */
const OPERAND = /^(?!(?:case|return|typeof)$)[\w$)\]}"'`]/

/** Splits a script into tokens: words, punctuation, strings and comments. Only braces of code are separate tokens. */
function* piecesOf(script: string): Generator<string> {
  // Number of open braces in the current expression of each open template literal.
  const open: number[] = []
  let before = ''
  for (let at = 0; at < script.length;) {
    const sign = script[at]
    const isTemplate = sign === '`' || (sign === '}' && open.at(-1) === 0)
    const patterns = isTemplate
      ? [TEMPLATE]
      : [COMMENT, ...(OPERAND.test(before) ? [] : [PATTERN]), TEXT_OR_SIGN]
    const piece = readFirst(patterns, script, at)
    at += piece.length
    if (isTemplate) {
      if (sign === '}') open.pop()
      if (piece.endsWith('${')) open.push(0)
    } else if (open.length > 0 && /^[{}]$/.test(piece))
      open.push((open.pop() ?? 0) + (piece === '{' ? 1 : -1))
    if (piece.trim() !== '' && !isComment(piece)) before = piece.endsWith('${') ? '' : piece
    yield piece
  }
}

function readFirst(patterns: readonly RegExp[], script: string, at: number): string {
  for (const pattern of patterns) {
    pattern.lastIndex = at
    const found = pattern.exec(script)?.[0]
    if (found !== undefined) return found
  }
  return script.slice(at)
}

function isComment(piece: string): boolean {
  return piece.startsWith('//') || piece.startsWith('/*')
}

/** Replaces comments with spaces, because they separate words. */
function withoutComments(script: string): string {
  return [...piecesOf(script)].map((piece) => (isComment(piece) ? ' ' : piece)).join('')
}

/** Returns true if a folder belongs to a language, that is, if the configuration has a label for it. */
export function hasLocale(config: string, name: string): boolean {
  const entry = String.raw`(?<![\w$-])(["'\`]?)${name}\1\s*:\s*\{[^{}]*(?<![\w$])label\s*:`
  return isLanguageCode(name) && new RegExp(entry).test(config)
}
