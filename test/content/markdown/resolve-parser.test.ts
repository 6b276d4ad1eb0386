import { describe, expect, test } from 'vitest'
import type { Pluggable, Plugin, Processor } from 'unified'
import { configuredParser, resolveParser } from '../../../src/content/markdown/resolve-parser.ts'

function extendsSyntax(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[] }
  data.micromarkExtensions = []
}

const changesTree: Plugin = () => () => undefined

const nativeIsLoaded = (): boolean => {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
  return sharedObjects.some((path) => path.includes('satteri'))
}

describe('loading', () => {
  test('brings in the native binary only where it is used', async () => {
    const before = nativeIsLoaded()
    await resolveParser({ parser: 'remark', remarkPlugins: [] })
    const afterRemark = nativeIsLoaded()
    await resolveParser({ parser: 'native', remarkPlugins: [] })
    expect([before, afterRemark, nativeIsLoaded()]).toEqual([false, false, true])
  })
})

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
