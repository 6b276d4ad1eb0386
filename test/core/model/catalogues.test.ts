// Two closed catalogues of codes: every code is used. (The type checker ensures that used codes are in them.)
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../../src/core/errors/catalogue.ts'
import { KbError, reasonOf } from '../../../src/core/errors/kb-error.ts'
import { DIAGNOSTICS } from '../../../src/core/model/diagnostic-codes.ts'

const CATALOGUES = new Set(['core/model/diagnostic-codes.ts', 'core/errors/catalogue.ts'])

/** Returns all sources except the catalogues as one text. */
function readSources(): string {
  const folder = fileURLToPath(new URL('../../../src/', import.meta.url))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !CATALOGUES.has(name))
    .map((name) => readFileSync(folder + name, 'utf8'))
    .join('\n')
}

const sources = readSources()

describe('every code is produced somewhere', () => {
  test.each(Object.keys(ERRORS))('%s', (code) => {
    expect(sources).toContain(`'${code}'`)
  })

  test.each(Object.keys(DIAGNOSTICS))('%s', (code) => {
    // Codes of categories and tags are composed of two words.
    const written = code.replace(/^(category|tag)-(unknown|ambiguous)$/, '${kind}-$2')
    expect(sources.includes(`'${written}'`) || sources.includes(`\`${written}\``)).toBe(true)
  })
})

test('every summary is a sentence', () => {
  for (const { summary } of [...Object.values(ERRORS), ...Object.values(DIAGNOSTICS)])
    expect(summary).toMatch(/^(?:[A-Z-]|kb\.|translationOf).*\.$/)
})

test('an error carries its code, its hint, its cause and the exit code of its kind', () => {
  const cause = new Error('disk full')
  const error = new KbError('LOCKED', 'It is locked.', { hint: 'Wait.', cause })
  const { name, code, hint, message, exitCode } = error
  expect({ name, code, hint, message, exitCode, cause: error.cause }).toEqual({
    name: 'KbError',
    code: 'LOCKED',
    hint: 'Wait.',
    message: 'It is locked.',
    exitCode: 1,
    cause,
  })
  expect('cause' in new KbError('LOCKED', 'It is locked.')).toBe(false)
  expect([reasonOf(cause), reasonOf('text'), reasonOf(undefined)]).toEqual(['disk full', 'text', 'undefined'])
})
