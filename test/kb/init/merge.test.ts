// Existing content stays: lines, line endings, indentation, order.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeGitignore, createPackageJson, mergePackageJson } from '../../../src/kb/init/merge-files.ts'
import { readRuns } from '../../support/runs.ts'

describe('.gitignore', () => {
  test.each<[string, string | undefined, string]>([
    ['no file', undefined, '.kb/\n'],
    ['an empty one', '', '.kb/\n'],
    ['with a final line end', 'dist/\n', 'dist/\n.kb/\n'],
    ['without one', 'dist/', 'dist/\n.kb/'],
    ['with the line ends of Windows', 'dist/\r\n*.log\r\n', 'dist/\r\n*.log\r\n.kb/\r\n'],
    ['where a later line takes it back', '.kb/\n!.kb/\n', '.kb/\n!.kb/\n.kb/\n'],
    ['where a comment has it', '# .kb/\n', '# .kb/\n.kb/\n'],
    ['where only another folder is like it', '.kbx/\na/.kb/\n', '.kbx/\na/.kb/\n.kb/\n'],
  ])('%s', (_, text, expected) => {
    expect(mergeGitignore(text, false)).toEqual({ text: expected, added: ['.kb/'] })
  })

  test.each(['.kb', '.kb/', '/.kb', '/.kb/', '**/.kb/', '.kb/*', '.kb/**', '  .kb/  ', '.*', '!.kb/\n.kb'])(
    'is left alone where it has %j',
    (line) => {
      const text = `dist/\n${line}\n`
      expect(mergeGitignore(text, false)).toEqual({ text, added: [] })
    },
  )

  test('also contains node_modules if there was no package before', () => {
    expect(mergeGitignore('dist/\n', true)).toEqual({
      text: 'dist/\nnode_modules/\n.kb/\n',
      added: ['node_modules/', '.kb/'],
    })
    expect(mergeGitignore('node_modules\n.kb\n', true).added).toEqual([])
  })

  test('is merged into once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '.kb', '!.kb/', '', '# x')),
        fc.boolean(),
        (lines, isWindows) => {
          const { text } = mergeGitignore(lines.join(isWindows ? '\r\n' : '\n'), true)
          expect(mergeGitignore(text, true)).toEqual({ text, added: [] })
        },
      ),
      readRuns('FUZZ', 200),
    )
  })
})

describe('package.json', () => {
  const ADDED = ['script kb:check', 'script kb:sync', 'script kb:watch', 'devDependency kb-sync']

  test('is created if there is none', () => {
    expect(createPackageJson('acme-help', '1.2.3')).toBe(`{
  "name": "acme-help",
  "private": true,
  "type": "module",
  "scripts": {
    "kb:check": "kb check",
    "kb:sync": "kb sync",
    "kb:watch": "kb watch"
  },
  "devDependencies": {
    "kb-sync": "^1.2.3"
  }
}
`)
  })

  test('keeps order, indentation and what follows', () => {
    const text =
      '{\n\t"version": "1.0.0",\n\t"name": "a",\n\t"devDependencies": {\n\t\t"a": "1",\n\t\t"x": "2"\n\t}\n}'
    expect(mergePackageJson(text, '1.2.3')).toEqual({
      text:
        '{\n\t"version": "1.0.0",\n\t"name": "a",\n\t"devDependencies": {\n\t\t"a": "1",\n\t\t"kb-sync": "^1.2.3",\n\t\t"x": "2"\n\t},\n' +
        '\t"scripts": {\n\t\t"kb:check": "kb check",\n\t\t"kb:sync": "kb sync",\n\t\t"kb:watch": "kb watch"\n\t}\n}',
      added: ADDED,
      others: [],
    })
  })

  test('keeps Windows line endings and a byte order mark', () => {
    expect(mergePackageJson('\uFEFF{\r\n    "name": "a"\r\n}\r\n\r\n', '1.2.3').text).toBe(
      '\uFEFF{\r\n    "name": "a",\r\n    "scripts": {\r\n        "kb:check": "kb check",\r\n        "kb:sync": "kb sync",\r\n        "kb:watch": "kb watch"\r\n    },\r\n' +
        '    "devDependencies": {\r\n        "kb-sync": "^1.2.3"\r\n    }\r\n}\r\n\r\n',
    )
  })

  test('on one line stays on one line', () => {
    expect(mergePackageJson('{"name":"a"}', '1.2.3').text).toBe(
      '{"name":"a","scripts":{"kb:check":"kb check","kb:sync":"kb sync","kb:watch":"kb watch"},"devDependencies":{"kb-sync":"^1.2.3"}}',
    )
  })

  test('keeps an order that is not alphabetical', () => {
    const { text } = mergePackageJson('{"devDependencies":{"x":"1","a":"1"}}', '1.2.3')
    expect(Object.keys((JSON.parse(text) as { devDependencies: object }).devDependencies)).toEqual([
      'x',
      'a',
      'kb-sync',
    ])
  })

  test('entries with our names stay', () => {
    const text = '{"scripts":{"kb:check":"mine"},"dependencies":{"kb-sync":"1.0.0"}}'
    expect(mergePackageJson(text, '1.2.3')).toEqual({
      text: '{"scripts":{"kb:check":"mine","kb:sync":"kb sync","kb:watch":"kb watch"},"dependencies":{"kb-sync":"1.0.0"}}',
      added: ['script kb:sync', 'script kb:watch'],
      others: ['kb:check'],
    })
    const whole =
      '{ "scripts": {"kb:check":"","kb:sync":"","kb:watch":""}, "devDependencies": {"kb-sync":"*"} }'
    expect(mergePackageJson(whole, '1.2.3')).toEqual({
      text: whole,
      added: [],
      others: ['kb:check', 'kb:sync', 'kb:watch'],
    })
  })

  test.each([
    ['{', 'JSON'],
    ['[]', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['{"scripts":[]}', 'scripts is not an object'],
    ['{"devDependencies":"kb-sync"}', 'devDependencies is not an object'],
  ])('%s is refused', (text, reason) => {
    expect(() => mergePackageJson(text, '1.2.3')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_UNREADABLE',
        message: expect.stringMatching(
          `^package.json could not be read: .*${reason}.* Nothing was written\\.$`,
        ) as string,
      }),
    )
  })

  test('keeps everything that was there, and a second merge changes nothing', () => {
    const texts = fc.dictionary(fc.string(), fc.string())
    const manifests = fc.record(
      { name: fc.string(), scripts: texts, devDependencies: texts, other: fc.jsonValue() },
      { requiredKeys: [] },
    )
    const indents = fc.constantFrom('', '  ', '    ', '\t')
    fc.assert(
      fc.property(manifests, indents, (manifest, indent) => {
        const { text } = mergePackageJson(JSON.stringify(manifest, undefined, indent), '1.2.3')
        expect(JSON.parse(text)).toMatchObject(JSON.parse(JSON.stringify(manifest)) as object)
        expect(mergePackageJson(text, '1.2.3')).toMatchObject({ text, added: [] })
      }),
      readRuns('FUZZ', 200),
    )
  })
})
