import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePositionedToml } from '../../../src/content/frontmatter/toml-positions.ts'
import { editToml } from '../../../src/content/write-back/edit-toml.ts'
import { readRuns } from '../../support/runs.ts'

const valuesOf = (toml: string): unknown => parsePositionedToml(toml).value

describe('a changed value keeps its style', () => {
  test.each([
    [`title = 'Old' # ours`, { title: 'New "one"' }, `title = 'New "one"' # ours`],
    [`title = 'Old'`, { title: "It's" }, `title = "It's"`],
    [`title = "Old"`, { title: "It's" }, `title = "It's"`],
    [`title = '''\nOld\n'''`, { title: "It's\nnew\n" }, `title = '''\nIt's\nnew\n'''`],
    [`title = """Old"""`, { title: 'a "b"\n\\ ""' }, `title = """a "b"\n\\\\ \\"\\""""`],
    [`reviewDate = 2027-01-01`, { reviewDate: '2027-02-28' }, `reviewDate = 2027-02-28`],
    [`reviewDate = 2027-01-01`, { reviewDate: 'never' }, `reviewDate = "never"`],
    [`tags = ['a']`, { tags: ['a', 'b'] }, `tags = ['a', 'b']`],
    [`tags = ['a','b', "c"]`, { tags: ['b', 'c', 'd'] }, `tags = ['b',"c",'d']`],
    [
      `tags = [\n  'a', # first\n  'b', # second\n]`,
      { tags: ['a', 'b', 'c'] },
      `tags = [\n  'a', # first\n  'b',\n  'c', # second\n]`,
    ],
    [`tags = [ 'a' ]`, { tags: [] }, `tags = []`],
    [`tags = []`, { tags: ['a', 'b'] }, `tags = ["a", "b"]`],
    [`a = 1\nb = 2\n[t]\nc = 3`, { a: null, d: 'x' }, `b = 2\nd = "x"\n[t]\nc = 3`],
  ])('%s %j', (toml, keys, edited) => {
    expect(editToml(toml, keys, '\n')).toBe(edited)
    expect(valuesOf(edited)).toMatchObject(
      Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== null)),
    )
  })
})

const word = fc.string({ unit: 'grapheme', maxLength: 12 })
const quoted = fc.oneof(
  word.map((text) => JSON.stringify(text).replaceAll('\u007F', '')),
  fc.stringMatching(/^[ -&(-~]{0,12}$/).map((text) => `'${text}'`),
  fc.stringMatching(/^[a-z ]{0,6}\n[a-z" ]{0,6}[a-z]$/).map((text) => `'''\n${text}'''`),
)
const list = fc
  .tuple(fc.array(quoted, { maxLength: 4 }), fc.constantFrom(', ', ',', ' , ', ',\n  ', ', # note\n'))
  .map(([items, gap]) => `[${items.join(gap)}]`)
const before = fc.constantFrom('', '# top\n', 'weight = 0x10\n', "'a key' = { b = 1 }\n")
const after = fc.constantFrom('', ' # ours', '\nlist = [ \'x\',  "y" ]', "\n\n[params]\ntags = ['z']\n")

test.each([
  ['a text', quoted, word],
  ['a list', list, fc.array(word, { maxLength: 4 })],
])('%s: everything around it is byte-identical', (_name, old, wanted) => {
  fc.assert(
    fc.property(before, old, after, wanted, (lead, written, trail, value) => {
      const edited = editToml(`${lead}tags = ${written}${trail}`, { tags: value }, '\n')
      expect(edited.startsWith(`${lead}tags = `)).toBe(true)
      expect(edited.endsWith(trail)).toBe(true)
      expect(valuesOf(edited)).toMatchObject({ tags: value })
    }),
    readRuns('FUZZ', 200),
  )
})
