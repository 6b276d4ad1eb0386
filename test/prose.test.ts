// Words that are out of use, or that make a sentence a riddle, stay out of everything that users read.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from '@swc/core'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What not to write, and what to write instead. */
const WORDS = {
  mend: 'fix',
  mends: 'fixes',
  mended: 'fixed',
  mending: 'fixing',
  anew: 'again, or from scratch',
  whoever: 'anyone who, or who it is',
  nobody: 'who or what it is that does not',
} as const

const BANNED = new RegExp(String.raw`\b(?:${Object.keys(WORDS).join('|')})\b`, 'gi')

/** Literals that are no prose. */
const NO_PROSE: ReadonlySet<string> = new Set([
  // A value of `changedBy` in JSON.
  'nobody',
  // Mende Kikakui among the scripts that are written from right to left.
  'Adlm Arab Armi Avst Hebr Mand Mani Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi',
])

const CODE_SPAN = /(`+).+?\1(?!`)/g

const PATH = /^\.{1,2}\/\S*$/

/** `line: word: what to write instead`, for each banned word in a file of prose; code spans are no prose. */
function judgeProse(text: string): string[] {
  return text.split('\n').flatMap((line, index) => judge(line.replaceAll(CODE_SPAN, ''), index + 1))
}

/** The same of a source: only its literals are prose, without paths of modules. */
async function judgeSource(text: string): Promise<string[]> {
  const bytes = Buffer.from(text)
  const literals = literalsIn(await parse(text, { syntax: 'typescript', target: 'esnext' }))
  return literals
    .toSorted((a, b) => a.span.start - b.span.start)
    .flatMap(({ value, span }) => {
      if (NO_PROSE.has(value) || PATH.test(value)) return []
      // Places are counted in bytes, from 1 on.
      const before = bytes.toString('utf8', 0, span.start - 1)
      const literal = bytes.toString('utf8', span.start - 1, span.end - 1)
      // An escape may hide the word: then the line where the literal begins is named.
      const within = literal.slice(0, Math.max(0, literal.search(BANNED)))
      return judge(value, `${before}${within}`.split('\n').length)
    })
}

function judge(text: string, line: number): string[] {
  return (text.match(BANNED) ?? []).map((found) => {
    const word = found.toLowerCase() as keyof typeof WORDS
    return `${line}: "${found}": write ${WORDS[word]}`
  })
}

interface Literal {
  readonly value: string
  readonly span: { readonly start: number; readonly end: number }
}

function literalsIn(node: unknown): Literal[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, value, cooked, span } = node as {
    readonly type?: string
    readonly value?: string
    readonly cooked?: string
    readonly span: Literal['span']
  }
  if (type === 'StringLiteral') return [{ value: value ?? '', span }]
  if (type === 'TemplateElement') return [{ value: cooked ?? '', span }]
  return Object.values(node).flatMap(literalsIn)
}

/** Paths of the files of a folder, from the root on. */
function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => pattern.test(name))
    .toSorted()
}

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')

test('no such word is in the guide and the other documents', () => {
  const documents = [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    'action.yml',
    ...filesIn('content', /\.(?:md|yml)$/),
    ...filesIn('docs', /\.(?:md|svg)$/),
  ]
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'content/_categories.yml', 'docs/terminal.svg']),
  )
  const found = documents.flatMap((file) => judgeProse(read(file)).map((line) => `${file}:${line}`))
  expect(found).toEqual([])
})

test('no such word is in what the program says', async () => {
  const sources = filesIn('src', /\.[jt]s$/)
  expect(sources).toContain('src/cli/bin.ts')
  const found: string[] = []
  for (const file of sources) {
    const text = read(file)
    // Most sources have none of the words, not even in a comment.
    if (text.search(BANNED) === -1) continue
    found.push(...(await judgeSource(text)).map((line) => `${file}:${line}`))
  }
  expect(found).toEqual([])
})

test('every such word is found where it is prose, and only there', async () => {
  expect(judgeProse('A\n\n> Nobody mends `anew`, or ``mended``.\n')).toEqual([
    '3: "Nobody": write who or what it is that does not',
    '3: "mends": write fixes',
  ])
  const source = [
    '#!/usr/bin/env node',
    "import { mend } from './mend/mend.ts' // mend",
    '/** Whoever reads ü. */',
    "const nobody: 'nobody' = mend('Äh: read anew.', { mended: `${mend}",
    '  ${1} mended ${`until mending`}` })',
    "const told = mend('\\nWhoever')",
  ]
  expect(await judgeSource(source.join('\n'))).toEqual([
    '4: "anew": write again, or from scratch',
    '5: "mended": write fixed',
    '5: "mending": write fixing',
    '6: "Whoever": write anyone who, or who it is',
  ])
})
