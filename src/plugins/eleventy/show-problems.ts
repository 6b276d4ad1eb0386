import { html } from 'hono/html'
import type { ContentFailure } from '../adapter/content-failure.ts'
import type { EleventyConfig } from './eleventy-config.ts'

/** Has the pages of the development server show what is wrong with the content, until it is mended. */
export function showProblems(config: EleventyConfig, current: () => ContentFailure | undefined): void {
  config.addTransform('kb-sync-problems', async function (content) {
    const failure = current()
    const { outputPath } = this.page ?? {}
    const isPage = typeof outputPath === 'string' && outputPath.endsWith('.html')
    return failure !== undefined && isPage ? withProblemPanel(content, failure) : content
  })
}

const STYLE =
  'position:fixed;inset:auto 0 0 0;z-index:2147483647;box-sizing:border-box;max-height:60vh;overflow:auto;margin:0;' +
  'padding:1rem 1.25rem;border-top:3px solid #d33;background:#1d1d1f;color:#f5f5f7;text-align:left;' +
  'font:14px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'
const LINES =
  'margin:.5rem 0 0;padding:0;border:0;background:none;color:inherit;font:inherit;white-space:pre-wrap'
const END = '</body>'

/** A page of the development server, with the problems of the content at its lower edge. Fragments stay as they are. */
async function withProblemPanel(page: string, { title, report }: ContentFailure): Promise<string> {
  const end = page.lastIndexOf(END)
  if (end === -1) return page
  const lines = html`<pre style="${LINES}">${report}</pre>`
  const panel = await html`<aside role="alert" id="kb-sync-problems" style="${STYLE}">
    <strong>kb-sync: ${title}</strong>${lines}
  </aside>`
  return `${page.slice(0, end)}${panel}${page.slice(end)}`
}
