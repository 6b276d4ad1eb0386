import { expect, test } from 'vitest'
import type { PublishedAsset } from '../../src/inspect/check/assets/copy-assets.ts'
import { formatAssets, formatAssetsJson } from '../../src/cli/results/format-assets.ts'
import { formatExternal } from '../../src/cli/diagnostics/report-check.ts'
import { readExternal } from '../../src/cli/commands/shared-flags.ts'
import type { Diagnostic } from '../../src/core/model/diagnostic.ts'

const file = (name: string, bytes: number, outcome: PublishedAsset['outcome']): PublishedAsset => ({
  source: `img/${name}.png`,
  name: `${name}-0123.png`,
  url: `https://f.example/${name}-0123.png`,
  bytes,
  outcome,
})

const FILES = [file('a', 500, 'copied'), file('b\u202E', 2_500_000, 'copied'), file('c', 900, 'present')]
const ERROR: Diagnostic = {
  code: 'asset-missing',
  severity: 'error',
  file: 'content/a.md',
  line: 1,
  column: 1,
  message: 'x',
}
const format = { folder: 'out', verbose: false, quiet: false }

test('the files that kb assets copied are listed and counted', () => {
  expect(formatAssets({ diagnostics: [], files: FILES }, format)).toBe(
    '+ img/a.png (500 B)\n    a-0123.png\n' +
      '+ img/b\\u{202e}.png (2.5 MB)\n    b\\u{202e}-0123.png\n' +
      '2 files copied to out (2.5 MB), 1 already there.\n',
  )
  expect(formatAssets({ diagnostics: [], files: FILES.slice(2) }, { ...format, verbose: true })).toBe(
    '= img/c.png (900 B)\n    c-0123.png\n0 files copied to out, 1 already there.\n',
  )
  expect(formatAssets({ diagnostics: [], files: FILES }, { ...format, quiet: true })).not.toContain('copied')
  const planned = [file('a', 500, 'planned')]
  expect(formatAssets({ diagnostics: [], files: planned }, format)).toContain(
    '1 file to be copied to out (500 B)',
  )
  expect(formatAssets({ diagnostics: [], files: [] }, format)).toBe(
    'No article uses a file that needs a URL.\n',
  )
  expect(formatAssets({ diagnostics: [ERROR], files: [] }, format)).toBe('1 error: nothing was copied.\n')
})

test('the JSON document has counts, files and problems', () => {
  expect(JSON.parse(formatAssetsJson({ diagnostics: [ERROR], files: FILES }))).toEqual({
    version: 1,
    summary: { files: 3, copied: 2, present: 1, planned: 0, bytes: 2_501_400, errors: 1 },
    files: FILES,
    diagnostics: [ERROR],
  })
})

test('links to other sites are counted in one line', () => {
  const none = { addresses: 1, asked: 1, broken: 0, unknown: 0, ignored: 0 }
  expect(formatExternal(none)).toBe('1 URL to other sites: all of them work.')
  expect(formatExternal({ ...none, addresses: 0, asked: 0 })).toBe('There are no URLs to other sites.')
  expect(formatExternal({ addresses: 1200, asked: 20, broken: 2, unknown: 3, ignored: 4 })).toBe(
    '1,200 URLs to other sites: 2 broken, 3 could not be checked, 1,180 checked before, 4 ignored (links.ignore, or a reserved name such as example.com).',
  )
})

test('private addresses are requested only with --external', () => {
  expect([readExternal({}), readExternal({ external: true })]).toEqual([
    undefined,
    { allowPrivateAddresses: undefined },
  ])
  expect(readExternal({ external: true, checkPrivateLinks: true })).toEqual({ allowPrivateAddresses: true })
  expect(() => readExternal({ checkPrivateLinks: true })).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
