import type { ContentFailure } from '../adapter/content-failure.ts'
import type { EleventyConfig } from './eleventy-config.ts'
import { withProblemPanel } from './problem-panel.ts'

/** Has the pages of the development server show what is wrong with the content, until it is mended. */
export function showProblems(config: EleventyConfig, current: () => ContentFailure | undefined): void {
  config.addTransform('kb-sync-problems', async function (content) {
    const failure = current()
    const { outputPath } = this.page ?? {}
    const isPage = typeof outputPath === 'string' && outputPath.endsWith('.html')
    return failure !== undefined && isPage ? withProblemPanel(content, failure) : content
  })
}
