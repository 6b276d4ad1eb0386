import * as fc from 'fast-check'
import { readRuns } from '../../support/runs.ts'
import { expect, test } from 'vitest'
import type { FrontmatterFields } from '../../../src/core/dialects/frontmatter-mapping.ts'
import { PRESET_NAMES } from '../../../src/core/dialects/dialects.ts'
import { filesOf, readWith } from './mapping.ts'

const BODY = '# Heading\n\nText.\n'

test("a field is written at the key that sets it, else at the tool's key; everything else is unchanged", () => {
  const text = `---
# for the sidebar
sidebar_position: 3   # third
description: "Old"
sidebar_label: Setup
---
${BODY}`
  const fields: FrontmatterFields = {
    title: 'New',
    excerpt: 'New: text',
    order: 7,
    status: 'draft',
    reviewDate: '2027-01-31',
    seoBannerUrl: 'https://example.com/a.png',
    hideFromSearch: true,
  }
  expect(filesOf().edit(text, fields, 'a.md')).toEqual({
    unwritten: [],
    text: `---
# for the sidebar
sidebar_position: 7   # third
description: "New: text"
sidebar_label: Setup
title: New
draft: true
reviewDate: 2027-01-31
image: https://example.com/a.png
hideFromSearch: true
---
${BODY}`,
  })
})

test('removes values that no longer apply', () => {
  const text = `---\ntitle: T\nunlisted: true\ndraft: true\nimage: https://example.com/a.png\n---\n${BODY}`
  const fields: FrontmatterFields = { hideFromSearch: false, status: 'published', seoBannerUrl: null }
  expect(filesOf().edit(text, fields, 'a.md')).toEqual({
    unwritten: [],
    text: `---\ntitle: T\ndraft: false\n---\n${BODY}`,
  })
})

test('every key that makes a page a draft is changed when it is published', () => {
  const page = (values: string) => `---\npublish: ${values}\n---\n${BODY}`
  const files = filesOf({ preset: 'obsidian' })
  expect(files.edit(page('true\nstatus: wip\ndraft: true'), { status: 'published' }, 'a.md')).toEqual({
    unwritten: [],
    text: page('true\nstatus: wip\ndraft: false'),
  })
  expect(files.edit(page('false\nstatus: draft\ndraft: true'), { status: 'published' }, 'a.md')).toEqual({
    unwritten: [],
    text: page('true\nstatus: published\ndraft: false'),
  })
})

test('an empty list is removed', () => {
  const files = filesOf()
  const text = `---\ntitle: T\ntags: [a]\n---\n${BODY}`
  const without = { unwritten: [], text: `---\ntitle: T\n---\n${BODY}` }
  expect(files.edit(text, { tags: [] }, 'a.md')).toEqual(without)
  expect(files.edit(without.text, { tags: [], categories: [] }, 'a.md')).toEqual(without)
})

test('a file without frontmatter gets some only if there is something to write', () => {
  const files = filesOf({ preset: 'vitepress' })
  expect(files.edit(`\uFEFF${BODY}`, { slug: 'a', order: 2, excerpt: 'E' }, 'a.md')).toEqual({
    unwritten: [],
    text: `\uFEFF---\norder: 2\ndescription: E\n---\n\n${BODY}`,
  })
  expect(files.edit(BODY, { slug: 'a', hideFromSearch: false }, 'a.md')).toEqual({
    unwritten: [],
    text: BODY,
  })
})

test('TOML stays TOML', () => {
  const text = `+++\r\nTitle = 'Old' # name\r\nweight = 1\r\ntags = ["a"]\r\n[params]\r\nx = 1\r\n+++\r\n${BODY}`
  const fields: FrontmatterFields = {
    title: 'New "one"',
    order: 2,
    tags: null,
    status: 'draft',
    excerpt: 'E',
  }
  expect(filesOf({ preset: 'hugo' }).edit(text, fields, 'a.md')).toEqual({
    unwritten: [],
    text: `+++\r\nTitle = 'New "one"' # name\r\nweight = 2\r\ndraft = true\r\ndescription = "E"\r\n[params]\r\nx = 1\r\n+++\r\n${BODY}`,
  })
})

test('JSON stays JSON', () => {
  const text = `{\n    "title": "Old",\n    "draft": true,\n    "x": 1\n}\n\n${BODY}`
  const fields: FrontmatterFields = { title: 'New', status: 'published', order: 4 }
  expect(filesOf({ preset: 'hugo' }).edit(text, fields, 'a.md')).toEqual({
    unwritten: [],
    text: `{\n    "title": "New",\n    "draft": false,\n    "x": 1,\n    "weight": 4\n}\n\n${BODY}`,
  })
})

test('an address keeps its full path', () => {
  const text = `---\ntitle: T\n---\n${BODY}`
  const edit = (preset: 'docusaurus' | 'hugo', from: string, to: string) => {
    const files = filesOf({ preset })
    return files.edit(text, { slug: files.slugOf(from) }, to, from).text
  }
  expect(edit('docusaurus', '01-a/02-b.md', 'c/b.md')).toBe(`---\ntitle: T\nslug: /a/b\n---\n${BODY}`)
  expect(edit('hugo', 'A/b.md', 'c/b.md')).toBe(`---\ntitle: T\nurl: /a/b\n---\n${BODY}`)
  expect(filesOf({ preset: 'vitepress' }).edit(text, { slug: 'a-b' }, 'c/b.md').text).toBe(
    `---\ntitle: T\nslug: a-b\n---\n${BODY}`,
  )
})

test('a new file contains only what its location does not imply', () => {
  const fields = {
    title: 'Start',
    slug: 'guide-start',
    status: 'draft',
    language: 'fr',
    tags: ['a'],
  } as const
  expect(filesOf({ preset: 'vitepress' }).create(fields, `\n${BODY}`, 'fr/guide/start.md')).toEqual({
    unwritten: [],
    text: `---\ntitle: Start\nstatus: draft\ntags: [a]\n---\n\n${BODY}`,
  })
})

test('with a one-way user function, values that would not be read back are not written', () => {
  const read = (data: Readonly<Record<string, unknown>>) => ({
    title: data['heading'],
    categories: ['Guides'],
    excerpt: data['excerpt'],
  })
  const files = filesOf({ preset: undefined, read })
  const text = `---\nheading: T\n---\n${BODY}`
  expect(files.edit(text, { title: 'New', excerpt: 'E' }, 'a.md')).toEqual({
    unwritten: ['title'],
    text: `---\nheading: T\nexcerpt: E\n---\n${BODY}`,
  })
  const write = ({ title, ...rest }: FrontmatterFields) => ({ ...rest, heading: title })
  const both = filesOf({ preset: undefined, read, write })
  expect(both.edit(text, { title: 'New', excerpt: 'E' }, 'a.md')).toEqual({
    unwritten: [],
    text: `---\nheading: New\nexcerpt: E\n---\n${BODY}`,
  })
})

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '')
const fields = fc.record(
  {
    title: line,
    slug: fc.stringMatching(/^[a-z]{1,6}(-[a-z]{1,4}){0,2}$/).filter((slug) => slug !== 'index'),
    excerpt: line,
    tags: fc.array(line, { minLength: 1, maxLength: 3 }),
    categories: fc.array(line, { minLength: 1, maxLength: 3 }),
    status: fc.constantFrom('draft' as const, 'published' as const),
    order: fc.integer({ min: -5, max: 1000 }),
    hideFromSearch: fc.constant(true),
    reviewDate: fc.constantFrom('never', '2027-01-31'),
    seoBannerUrl: fc.constant('https://example.com/a.png'),
    language: fc.constant('fr'),
    translationOf: line,
  },
  { requiredKeys: [] },
)

test.each(PRESET_NAMES)('%s: what is written is what is read', (preset) => {
  const files = filesOf({ preset })
  const heads =
    preset === 'hugo'
      ? ['', '---\nweight: 3\n---\n', '+++\nweight = 3\n[a]\nb = 1\n+++\n', '{\n"url": "/x/"\n}\n']
      : ['', '---\nid: x\ntags: [a]\n---\n']
  fc.assert(
    fc.property(fields, fc.constantFrom(...heads), (wanted, head) => {
      const written = files.edit(`${head}${BODY}`, wanted, 'a/b.md')
      expect(written.unwritten).toEqual([])
      expect(written.text.endsWith(BODY)).toBe(true)
      expect(readWith(files, written.text, 'a/b.md')).toMatchObject(wanted)
    }),
    readRuns('FUZZ', 60),
  )
})
