import { describe, expect, test } from 'vitest'
import type { Pluggable, Plugin, Processor } from 'unified'
import { configuredParser, resolveParser } from '../../../src/content/parser/resolve-parser.ts'

function extendsSyntax(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[] }
  data.micromarkExtensions = []
}

const changesTree: Plugin = () => () => undefined

describe('the parser', () => {
  test.each([
    ['native', 'native', []],
    ['remark', 'remark', []],
    ['native', 'native', [changesTree]],
    ['native', 'remark', [changesTree, extendsSyntax]],
    ['native', 'remark', [{ plugins: [extendsSyntax] } as Pluggable]],
  ] as const)('asked for %s it is %s with plugins %o', async (parser, kind, remarkPlugins) => {
    const options = { parser, remarkPlugins: [...remarkPlugins] as Pluggable[] }
    expect(configuredParser(options)).toBe(kind)
    expect(await resolveParser(options)).toMatchObject({ kind })
  })
})
