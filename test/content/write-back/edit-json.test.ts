import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editJson } from '../../../src/content/write-back/edit-json.ts'
import { readRuns } from '../../support/runs.ts'

describe('only changes are written', () => {
  test.each([
    [
      `{\n  "title": "Old",\n  "tags": ["a"]\n}`,
      { title: 'New' },
      `{\n  "title": "New",\n  "tags": ["a"]\n}`,
    ],
    [`{"title":"Old","tags":["a"]}`, { tags: ['a', 'b'] }, `{"title":"Old","tags":["a","b"]}`],
    [
      `{\n\t"tags": [\n\t\t"a",\n\t\t"\\u0062"\n\t],\n\t"x" : 1.0 }`,
      { tags: ['c', 'b'], weight: 3 },
      `{\n\t"tags": [\n\t\t"c",\n\t\t"\\u0062"\n\t],\n\t"x" : 1.0,\n\t"weight" : 3 }`,
    ],
    [`{ "a": 1, "b": 2, "c": 3 }`, { b: null }, `{ "a": 1, "c": 3 }`],
    [`{ "a": 1, "b": 2, "c": 3 }`, { a: null, c: null, d: true }, `{ "b": 2, "d": true }`],
    [`{ "a": null, "a": 1 }`, { a: 2 }, `{ "a": null, "a": 2 }`],
    [`{ "a": 1 }`, { a: null }, `{}`],
    [`{}`, { a: 'x' }, `{\n  "a": "x"\n}`],
    [`{ "a": { "b": [ 1 ] }, "b": "x" }`, { b: 'y' }, `{ "a": { "b": [ 1 ] }, "b": "y" }`],
    [`{ "a": 1, }`, { a: 2 }, `{ "a": 2, }`],
  ])('%j %j', (json, keys, edited) => {
    expect(editJson(json, keys)).toBe(edited)
  })
})

const space = fc.constantFrom('', ' ', '\n  ', '\r\n\t', '  ')
const value = fc.jsonValue({ maxDepth: 2 })
const written = fc
  .tuple(value, fc.constantFrom(0, 1, '\t'))
  .map(([each, indent]) => JSON.stringify(each, null, indent))
const key = fc.stringMatching(/^[a-z ]{1,6}$/)

test('everything around a changed value is byte-identical', () => {
  const members = fc.uniqueArray(fc.tuple(key, written), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 5,
  })
  const wanted = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
  )
  fc.assert(
    fc.property(members, fc.nat(), space, wanted, (all, pick, gap, now) => {
      const at = pick % all.length
      const partsOf = (list: typeof all): string =>
        list.map(([name, text]) => `${gap}${JSON.stringify(name)}:${gap}${text}`).join(`${gap},`)
      const [name, old] = all[at] as [string, string]
      const json = `{${partsOf(all)}${gap}}`
      const lead = `{${partsOf(all.slice(0, at + 1)).slice(0, -old.length)}`
      const trail = json.slice(lead.length + old.length)
      const edited = editJson(json, { [name]: now })
      expect(edited.startsWith(lead)).toBe(true)
      expect(edited.endsWith(trail)).toBe(true)
      expect(JSON.parse(edited)).toEqual({ ...(JSON.parse(json) as object), [name]: now })
    }),
    readRuns('FUZZ', 300),
  )
})
