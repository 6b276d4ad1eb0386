import { html } from 'hono/html'
import type { LivePages } from './live-pages.ts'
import type { Html } from '../html.ts'
import { OWN_PATH } from './page-headers.ts'

/** Renders a button that opens a file of the project in its author's editor. Works without scripts, too. */
export function openFile(
  { token }: LivePages,
  place: {
    /** Relative to the project, with `/`. */
    readonly file: string
    readonly line: number
    readonly column: number
  },
): Html {
  const { file, line, column } = place
  const name = line === 1 && column === 1 ? file : `${file}:${line}:${column}`
  return html`<form class="kb-open" method="post" action="${OWN_PATH}/open" data-kb-open>
    <input type="hidden" name="token" value="${token}" />
    <input type="hidden" name="file" value="${file}" />
    <input type="hidden" name="line" value="${line}" />
    <input type="hidden" name="column" value="${column}" />
    <button type="submit" title="Open in your editor">
      <span class="kb-hidden">Open </span>${name}<span class="kb-hidden"> in your editor</span>
    </button>
  </form>`
}
