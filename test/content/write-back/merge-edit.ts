import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { joinTemplate } from '../../../src/content/markdown/slot-template.ts'
import { mergeBody, type MergedFile } from '../../../src/authoring/body/merge-body.ts'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import { projectionOf } from '../../../src/sync/remote/to-remote.ts'
import { splitFile } from '../../../src/content/write-back/split-file.ts'
import { inputOf } from '../markdown/renderers.ts'

export const HEAD = '---\ntitle: Guide # ours\n---\n'

/** `isExact`: the merged text renders to the edited HTML, as far as a reader would notice. */
export type MergedEdit = MergedFile & { readonly isExact: boolean }

/** Returns the HTML that is sent for a body. */
function htmlOf(render: RenderMarkdown, body: string, title: string): string {
  const { html, slots } = render(inputOf(body, title))
  return joinTemplate(
    html,
    slots.map(({ url }) => `https://kb.example/${url.replace('./', '').replace('.md', '')}`),
  )
}

/** Merges the result of applying `edit` to the HTML that is sent for `body`. */
export function mergeEdit(
  render: RenderMarkdown,
  body: string,
  edit: (html: string) => string,
  newTitle = 'Guide',
  head = HEAD,
  dialect?: PresetName,
): MergedEdit {
  const sentHtml = htmlOf(render, splitFile(head + body).body, 'Guide')
  const html = edit(sentHtml)
  const merged = mergeBody(head + body, {
    title: 'Guide',
    newTitle,
    html,
    sentHtml,
    linkOf: (url) => (url === 'https://kb.example/new' ? 'new.md' : undefined),
    render,
    allow: {},
    dialect,
  })
  const after = htmlOf(render, splitFile(merged.text).body, newTitle)
  return { ...merged, isExact: projectionOf(after) === projectionOf(html) }
}

/** Merges the article after it was rewritten in Markdown. */
export function mergeRewritten(render: RenderMarkdown, body: string, changed: string): MergedEdit {
  return mergeEdit(render, body, () => htmlOf(render, changed, 'Guide'))
}

export const exact = (text: string): MergedEdit => ({ text: HEAD + text, isExact: true, lost: [] })
