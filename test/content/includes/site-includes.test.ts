// Includes as VitePress writes them, beside our own.
import { expect, test } from 'vitest'
import { contentOptions, type Files, FRONTMATTER, loadFiles, placesOf } from '../load-files.ts'

const load = (files: Files) => {
  const { markdown } = contentOptions('/')
  return loadFiles(files, { markdown: { ...markdown, dialect: 'vitepress' } })
}

const PART = `---
title: Prices
---
One

<!-- #region vat -->
Two {{ x }}
<!-- #endregion vat -->

Three
`

test('files, lines and regions are put in', async () => {
  const { html, diagnostics } = await load({
    'guide/a.md': `${FRONTMATTER}<!--@include: ../_parts/prices.md-->

- item

  <!-- @include: @/_parts/prices.md{4,4} -->

<!--@include: ../_parts/prices.md#vat-->

<!--@include: ../_parts/prices.md{9,}-->

<!-- include: ../_parts/own.md -->
`,
    '_parts/prices.md': PART,
    '_parts/own.md': 'Own\n',
  })
  expect(html['guide/a.md']).toContain(
    '<p>One</p>\n<p>Two </p>\n<p>Three</p>\n<ul>\n<li>\n<p>item</p>\n<p>One</p>\n</li>\n</ul>\n' +
      '<p>Two </p>\n<p>Three</p>\n<p>Own</p>',
  )
  expect(placesOf({ diagnostics })).toEqual(['_parts/prices.md:7:5 expression-removed'])
})

test('a missing file and a place within a line are errors', async () => {
  const { diagnostics } = await load({
    'a.md': `${FRONTMATTER}<!--@include: ./gone.md-->\n\nText <!--@include: ./gone.md-->\n\n<<< @/x.js{1}\n`,
  })
  expect(placesOf({ diagnostics })).toEqual([
    'a.md:5:1 include-missing',
    'a.md:7:6 include-misplaced',
    'a.md:9:1 component-removed',
  ])
})

test('without the preset such a comment is a comment', async () => {
  const { html } = await loadFiles({ 'a.md': `${FRONTMATTER}Text\n\n<!--@include: ./gone.md-->\n` })
  expect(html['a.md']).toContain('<p>Text</p>\n')
})
