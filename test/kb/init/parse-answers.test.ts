import { describe, expect, test } from 'vitest'
import { parseContentFolder, parseLanguage, parseTargetAddress } from '../../../src/kb/init/parse-answers.ts'

describe('the folder for articles', () => {
  test.each([
    ['content', 'content'],
    [' docs/help/ ', 'docs/help'],
    ['./docs', 'docs'],
    ['.', '.'],
    ['./', '.'],
    ['docs\\help', 'docs/help'],
    ['docs/../help', 'help'],
    ['Über uns', 'Über uns'],
  ])('%j', (text, value) => {
    expect(parseContentFolder(text)).toEqual({ kind: 'value', value })
  })

  test.each(['', ' ', '..', '../docs', 'docs/../..', '/docs', 'C:\\docs', '.kb', 'docs/.hidden', 'a\nb'])(
    'not %j',
    (text) => {
      expect(parseContentFolder(text)).toEqual({
        kind: 'wrong',
        reason: 'It must be a folder inside the project, such as content or docs/help.',
      })
    },
  )
})

test('the URL is an http(s) URL', () => {
  const url = 'https://help.example.com/kb'
  expect(parseTargetAddress(` ${url} `)).toEqual({ kind: 'value', value: url })
  expect(parseTargetAddress('http://localhost:4000').kind).toBe('value')
  const wrong = ['', 'help.example.com', 'https://', 'ftp://a', 'file:///etc', 'http://a.example.com']
  const unsafe = ['https://user@a.example.com', 'https://:pw@a.example.com', `${url}?x=1`, `${url}#f`]
  for (const text of [...wrong, ...unsafe])
    expect({ text, kind: parseTargetAddress(text).kind }).toEqual({ text, kind: 'wrong' })
})

test('the language is a code', () => {
  expect(parseLanguage(' pt-BR ')).toEqual({ kind: 'value', value: 'pt-BR' })
  for (const text of ['', 'English', 'e', 'en_GB', 'xx-yy-zz'])
    expect({ text, kind: parseLanguage(text).kind }).toEqual({ text, kind: 'wrong' })
})
