import type { Log } from 'sarif'
import { expect, test } from 'vitest'
import { formatSarif } from '../../../src/cli/diagnostics/format-sarif.ts'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import { sarifValidator } from '../../support/sarif-validator.ts'
import { EXAMPLES } from './example-diagnostics.ts'

const context = {
  prefix: 'docs/',
  version: '1.2.3',
  sectionOf: (code: string) => `What \`${code}\` means.`,
  helpUriOf: (code: string) => `https://example.com/guide#${code}`,
}

const validate = sarifValidator()

function read(diagnostics: readonly Diagnostic[], changes = {}): Log {
  const log = JSON.parse(formatSarif(diagnostics, { ...context, ...changes })) as Log
  validate(log)
  expect(validate.errors ?? []).toEqual([])
  return log
}

test('a log is valid, and contains what code scanning shows', () => {
  const uri = 'docs/content/a%2C%20b%3Ac%25%23%E6%97%A5%E6%9C%AC.md'
  const rule = (code: string, text: string, level: string) => ({
    id: code,
    shortDescription: { text },
    fullDescription: { text },
    helpUri: `https://example.com/guide#${code}`,
    help: { text: `What \`${code}\` means.`, markdown: `What \`${code}\` means.` },
    defaultConfiguration: { level },
  })
  const fingerprint = (count: number) => ({
    partialFingerprints: {
      'kbProblem/v1': expect.stringMatching(new RegExp(`^[0-9a-f]{32}:${count}$`)) as string,
    },
  })
  const at = (address: string, region: object) => ({
    locations: [{ physicalLocation: { artifactLocation: { uri: address }, region } }],
  })
  const empty = (count: number) => ({
    ruleId: 'file-empty',
    ruleIndex: 1,
    level: 'error',
    message: { text: 'The file is empty.' },
    ...at('docs/content/c.md', { startLine: 1, startColumn: 1 }),
    ...fingerprint(count),
  })
  const region = { startLine: 3, startColumn: 7, endLine: 3, endColumn: 10 }
  expect(read(EXAMPLES)).toEqual({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'kb-sync',
            version: '1.2.3',
            rules: [
              rule('excerpt-too-long', 'The excerpt has more than 160 characters.', 'warning'),
              rule('file-empty', 'The file is empty.', 'error'),
              rule('slug-invalid', 'The slug contains characters that are not allowed.', 'error'),
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'slug-invalid',
            ruleIndex: 2,
            level: 'error',
            message: {
              text: 'slug has <white> & "space", 100% \u0007of it\nand \u202eturns]]>. Use a|b, `c`, @nobody or #1.',
            },
            ...at(uri, region),
            ...fingerprint(1),
            fixes: [
              {
                artifactChanges: [
                  {
                    artifactLocation: { uri },
                    replacements: [{ deletedRegion: region, insertedContent: { text: 'a-b' } }],
                  },
                ],
              },
            ],
          },
          {
            ruleId: 'excerpt-too-long',
            ruleIndex: 0,
            level: 'warning',
            message: { text: 'Too long.' },
            ...at('docs/content/b.md', { startLine: 2, startColumn: 10, endLine: 4, endColumn: 3 }),
            ...fingerprint(1),
          },
          empty(1),
          empty(2),
        ],
      },
    ],
  })
})

test('a problem keeps its fingerprint when lines are added or removed', () => {
  const fingerprints = (diagnostics: readonly Diagnostic[]) =>
    read(diagnostics).runs[0]?.results?.map(({ partialFingerprints }) => partialFingerprints)
  const moved = EXAMPLES.map((diagnostic) => ({ ...diagnostic, line: diagnostic.line + 10 }))
  expect(fingerprints(moved)).toEqual(fingerprints(EXAMPLES))
})

test('without problems and without a URL for the guide, a log is also valid', () => {
  read([])
  expect(JSON.stringify(read(EXAMPLES, { helpUriOf: () => undefined }))).not.toContain('helpUri')
})

test('GitHub accepts 25,000 results: errors are kept', () => {
  const many = Array.from(
    { length: 25_001 },
    (_, line): Diagnostic => ({ ...EXAMPLES[1], line: line + 1 }) as Diagnostic,
  )
  const log = JSON.parse(formatSarif([...many, ...EXAMPLES], context)) as Log
  const levels = log.runs[0]?.results?.map(({ level }) => level) ?? []
  expect([levels.length, levels.filter((level) => level === 'error').length]).toEqual([25_000, 3])
})
