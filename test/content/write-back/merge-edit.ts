import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { joinTemplate } from '../../../src/content/markdown/slot-template.ts'
import { mergeBody, type MergedFile } from '../../../src/authoring/body/merge-body.ts'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import { splitFile } from '../../../src/content/write-back/split-file.ts'
import { inputOf } from '../markdown/renderers.ts'

export const HEAD = '---\ntitle: Guide # ours\n---\n'

/** Merges the result of applying `edit` to the HTML that is sent for `body`. */
export function mergeEdit(
  render: RenderMarkdown,
  body: string,
  edit: (html: string) => string,
  newTitle = 'Guide',
  head = HEAD,
  dialect?: PresetName,
): MergedFile {
  const rendered = render(inputOf(splitFile(head + body).body, 'Guide'))
  const sentHtml = joinTemplate(
    rendered.html,
    rendered.slots.map(({ url }) => `https://kb.example/${url.replace('./', '').replace('.md', '')}`),
  )
  return mergeBody(head + body, {
    title: 'Guide',
    newTitle,
    html: edit(sentHtml),
    sentHtml,
    linkOf: (url) => (url === 'https://kb.example/new' ? 'new.md' : undefined),
    render,
    allow: {},
    dialect,
  })
}

/** Merges the article after it was rewritten in Markdown. */
export function mergeRewritten(render: RenderMarkdown, body: string, changed: string): MergedFile {
  return mergeEdit(render, body, () =>
    joinTemplate(
      render(inputOf(changed, 'Guide')).html,
      render(inputOf(changed, 'Guide')).slots.map(
        ({ url }) => `https://kb.example/${url.replace('./', '').replace('.md', '')}`,
      ),
    ),
  )
}

export const exact = (text: string): MergedFile => ({ text: HEAD + text, isExact: true, lost: [] })
