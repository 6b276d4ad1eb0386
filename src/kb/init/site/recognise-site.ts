import { parseLanguage } from '../parse-answers.ts'
import { isFolder } from '../../../core/is-folder.ts'
import { recogniseDocusaurus } from './recognise-docusaurus.ts'
import { recogniseHugo } from './recognise-hugo.ts'
import { recogniseVitePress } from './recognise-vitepress.ts'
import type { RecognisedSite } from './recognised-site.ts'

/** The site that a folder is, by the configuration of its tool; undefined where it is none that a preset can read. */
export function recogniseSite(root: string): RecognisedSite | undefined {
  if (!isFolder(root)) return undefined
  const site = recogniseDocusaurus(root) ?? recogniseVitePress(root) ?? recogniseHugo(root)
  if (site === undefined) return undefined
  const [language] = languagesOf([site.language ?? ''])
  return { ...site, language, languages: languagesOf(site.languages) }
}

/** Those that can be one here. */
function languagesOf(codes: readonly string[]): string[] {
  return codes.map(parseLanguage).flatMap((parsed) => (parsed.kind === 'value' ? [parsed.value] : []))
}
