import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { htmlToMarkdown } from '../../../src/content/from-html/html-to-markdown.ts'
import { projectHtml } from '../../../src/core/model/projection.ts'
import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { htmlOf, inputOf, rendererOf, someMarkdown, turn } from '../markdown/renderers.ts'
import { foreignHtml } from './foreign-html.ts'
import { joinBlocks, markdownBlocks } from './markdown-documents.ts'
import { roundTrip } from './round-trip.ts'

const RUNS = readRuns('FUZZ', 40)

let render: RenderMarkdown
beforeAll(async () => {
  render = await rendererOf()
})

describe('rendered documents that are converted back render the same', () => {
  test('for any document', timeoutOf(RUNS, 200), async () => {
    await fc.assert(
      fc.asyncProperty(markdownBlocks, async (blocks) => {
        const { before, after } = roundTrip(joinBlocks(blocks), render)
        expect(after).toEqual(before)
        await turn()
      }),
      RUNS,
    )
  })

  test('for every real document', { timeout: 240_000 }, async () => {
    const documents = [...someMarkdown()].filter(([, body]) => body.length < 40_000)
    // As many as are needed for every kind of Markdown, without the long ones.
    expect(documents.length).toBeGreaterThan(5)
    const differing: string[] = []
    for (const [path, body] of documents) {
      const { before, after } = roundTrip(body, render)
      if (JSON.stringify(before) !== JSON.stringify(after)) differing.push(path)
      await turn()
    }
    expect(differing).toEqual([])
  })
})

test(
  'output of an editor renders the same, and contains nothing that we would remove or that others would run',
  timeoutOf(RUNS, 200),
  async () => {
    await fc.assert(
      fc.asyncProperty(foreignHtml, async (html) => {
        const markdown = htmlToMarkdown(html)
        const rendered = render(inputOf(markdown))
        expect(projectHtml(htmlOf(rendered))).toEqual(projectHtml(html))
        expect(rendered.problems.filter(({ code }) => code.endsWith('-removed'))).toEqual([])
        expect(markdown).not.toMatch(/^(?:---|\+\+\+)|\{[{%#]/)
        await turn()
      }),
      RUNS,
    )
  },
)
