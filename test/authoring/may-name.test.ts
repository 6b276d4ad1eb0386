import { expect, test } from 'vitest'
import { createMayName } from '../../src/authoring/move/decide-move.ts'

const file = createMayName({ from: 'a/ü_x.md', to: 'b/y.md', isFolder: false })
const folder = createMayName({ from: 'a/b c', to: 'd', isFolder: true })
const rootPage = createMayName({ from: 'index.md', to: 'a/b.md', isFolder: false })
const page = createMayName({ from: 'a/b/x.md', to: 'c/index.md', isFolder: false })

type Row = readonly [mayName: typeof file, text: string, source?: string]

const rows = (list: readonly Row[]) =>
  list.map(([mayName, text, source = 'z.md']) => ({ mayName, text, source }))

test.each(
  rows([
    [file, '[a](ü_x.md)'],
    [file, '[a](u\u0308\\_x.md)'],
    [file, '[a](%C3%BC_x%2emd)'],
    [file, '<a href="&uuml;&#95;x.md">'],
    [file, '[r]:ü_x.md'],
    [file, '<img srcset="b.md,ü_x.md 2x">'],
    [file, '<!-- include:ü_x.md-->'],
    [file, '---\ntranslationOf: a/ü_x.md\n---'],
    [folder, '[a](b%20c)'],
    [folder, '[a](<../b c/>)'],
    [page, '[a](x.md)'],
    [page, '[a](../c)'],
    [page, '[a](..)', 'a/b/q/z.md'],
    [page, '[a](..)', 'c/q/z.md'],
    [page, '[a](%2e%2e)', 'c/q/z.md'],
    [page, '[r]: ./\n', 'a/b/z.md'],
    [page, '<a href=../..#x>', 'a/b/q/r/z.md'],
    [page, "<a href='.'>", 'c/z.md'],
    [rootPage, '[a](..)', 'q/z.md'],
    [rootPage, '[a](.)', 'z.md'],
  ]),
)('may: $text', ({ mayName, text, source }) => {
  expect(mayName(text, source)).toBe(true)
})

test.each(
  rows([
    [file, '[a](x.md) 100% &amp; ü'],
    [file, '[a](über_x.md) [a](aü_x.md) [a](ü_x.md.txt)'],
    [folder, '[a](b/c.md) [a](ab c)'],
    [page, '[a](../d/e.md) ... and so on', 'a/b/z.md'],
    // Links to unrelated folders.
    [page, '[a](..) [b](.) [c](../..)', 'd/e/z.md'],
    [rootPage, '[a](.) [b](..)', 'd/e/z.md'],
  ]),
)('may not: $text', ({ mayName, text, source }) => {
  expect(mayName(text, source)).toBe(false)
})
