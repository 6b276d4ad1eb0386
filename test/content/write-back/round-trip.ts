import { projectHtml } from '../../../src/core/model/projection.ts'
import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { htmlToMarkdown } from '../../../src/content/from-html/html-to-markdown.ts'
import { htmlOf, inputOf } from '../markdown/renderers.ts'

/** Returns what a reader would notice of a body, before and after a round trip through HTML. */
export function roundTrip(body: string, render: RenderMarkdown) {
  const html = htmlOf(render(inputOf(body)))
  const markdown = htmlToMarkdown(html)
  const again = htmlOf(render(inputOf(markdown)))
  return { markdown, html, again, before: projectHtml(html), after: projectHtml(again) }
}
