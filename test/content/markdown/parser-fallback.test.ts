import { expect, test } from 'vitest'
import { createRenderer } from '../../../src/content/markdown/create-renderer.ts'
import { resolveParser } from '../../../src/content/markdown/resolve-parser.ts'
import { htmlOf, inputOf } from './renderers.ts'

// Read by satteri when it is loaded, which this file, in a process of its own, has not done yet.
process.env['NAPI_RS_NATIVE_LIBRARY_PATH'] = '/nowhere/satteri.node'

test('where the native parser has no binary, remark steps in and says why', async () => {
  const options = { parser: 'native', remarkPlugins: [], allow: {} } as const
  const parser = await resolveParser({ parser: 'native', remarkPlugins: [] })
  expect(parser).toMatchObject({ kind: 'remark', fallback: expect.stringMatching(/./) })
  expect(htmlOf(createRenderer({ ...options, remarkPlugins: [] }, parser)(inputOf('~a~\n')))).toBe(
    '<p><del>a</del></p>\n',
  )
})
