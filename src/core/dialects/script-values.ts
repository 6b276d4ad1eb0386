// Configurations of tools are programs. They are not run: plain values are read, everything else is left to the user.
import { existsSync, readFileSync } from 'node:fs'
import { isLanguageCode } from '../language-code.ts'

const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

/** The path of a script from its path without extension; undefined if there is none. */
export function findScript(path: string): string | undefined {
  return EXTENSIONS.map((extension) => `${path}.${extension}`).find((each) => existsSync(each))
}

/** The text of a script without comments. */
export function readScript(path: string): string | undefined {
  const file = findScript(path)
  return file === undefined ? undefined : withoutComments(readFileSync(file, 'utf8'))
}

/** The first text after `key:` in a script. */
export function findText(script: string, key: string): string | undefined {
  return new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*(["'\`])([^"'\`$\n]*)\1`).exec(script)?.[2]
}

const TEXT = /(["'`])((?:(?!\1)[^\\$\n])*)\1/g

/** The texts of the first list after `key:`; undefined if there is none or it contains anything else. */
export function findTexts(script: string, key: string): string[] | undefined {
  const list = findList(script, key)
  return list?.replaceAll(TEXT, '').replaceAll(/[\s,]/g, '') === '' ? textsIn(list) : undefined
}

/** The same, ignoring other items in the list. */
export function findAnyTexts(script: string, key: string): string[] {
  return textsIn(findList(script, key) ?? '')
}

/** The objects that start at the end of each match of a pattern, from brace to brace. */
export function blocksBehind(script: string, pattern: RegExp): string[] {
  return [...script.matchAll(pattern)].map(({ 0: found, index }) => {
    let block = ''
    let depth = 0
    for (const piece of piecesOf(script.slice(index + found.length))) {
      block += piece
      if (piece === '{') depth++
      if (piece === '}' && --depth === 0) return block
    }
    return ''
  })
}

const MOST_LEVELS = 100

/** The list after `key:`, if it is a literal. Names and numbers in it become texts. */
export function findLiteral(script: string, key: string): unknown {
  const start = new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*(?=\[)`).exec(script)
  if (start === null) return undefined
  const pieces: string[] = []
  let depth = 0
  for (const piece of piecesOf(script.slice(start.index + start[0].length))) {
    if (piece.trim() === '') continue
    if (/^[}\]]$/.test(piece) && pieces.at(-1) === ',') pieces.pop()
    pieces.push(asJson(piece))
    if (/^[{[]$/.test(piece) && ++depth > MOST_LEVELS) return undefined
    if (/^[}\]]$/.test(piece) && --depth === 0) break
  }
  try {
    return JSON.parse(pieces.join(''))
  } catch {
    return undefined
  }
}

function asJson(piece: string): string {
  if (/^[\w$]+$/.test(piece)) return JSON.stringify(piece)
  const [, , text] = /^(["'`])([^]*)\1$/.exec(piece) ?? []
  return text === undefined ? piece : JSON.stringify(text.replace(/\\(["'`\\])/g, '$1'))
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
/** A part of a template, between its ends and expressions. */
const TEMPLATE = /[`}](?:\\[^]|\$(?!\{)|[^\\`$])*(?:`|\$\{|$)/y

/** After these, a slash is a division; after other tokens, it starts a regular expression or a comment. */
const OPERAND = /^(?!(?:case|return|typeof)$)[\w$)\]}"'`]/

/**
 * A script as tokens: words, punctuation, whole strings and whole comments. Only braces of code are separate tokens.
 */
function* piecesOf(script: string): Generator<string> {
  // Number of open braces in the expression of each open template.
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

/** A comment separates words like white space. */
function withoutComments(script: string): string {
  return [...piecesOf(script)].map((piece) => (isComment(piece) ? ' ' : piece)).join('')
}

/** Whether a folder belongs to a language: the configuration has a label for it. */
export function hasLocale(config: string, name: string): boolean {
  const entry = String.raw`(?<![\w$-])(["'\`]?)${name}\1\s*:\s*\{[^{}]*(?<![\w$])label\s*:`
  return isLanguageCode(name) && new RegExp(entry).test(config)
}
