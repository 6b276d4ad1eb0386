import { PRESET_DEFAULTS } from '../../../core/model/preset-defaults.ts'
import type { PresetName } from '../../../core/model/preset-name.ts'
import type { InitAnswers } from '../init-answers.ts'
import type { RecognisedSite } from './recognised-site.ts'

/** What was said of the site: nothing, its tool, or that it is to be left alone. */
export interface GivenSite {
  readonly content?: string | undefined
  readonly language?: string | undefined
  readonly preset?: PresetName | 'none' | undefined
}

/** Whether the articles are those of the site, as far as it was said. */
export function isAboutSite({ content, preset }: GivenSite, site: RecognisedSite): boolean {
  if (preset !== undefined && preset !== site.preset) return false
  return (
    content === undefined ||
    site.content === '.' ||
    content === site.content ||
    content.startsWith(`${site.content}/`)
  )
}

/** The answers that a site gives where nothing else was said. */
export function takeSite(
  given: GivenSite,
  site: RecognisedSite | undefined,
): Partial<InitAnswers> & Pick<InitAnswers, 'preset' | 'languages'> {
  const taken = site !== undefined && isAboutSite(given, site) ? site : undefined
  const preset = taken?.preset ?? (given.preset === 'none' ? undefined : given.preset)
  const usual = preset === undefined ? undefined : PRESET_DEFAULTS[preset].content
  const content = given.content ?? taken?.content ?? usual
  const language = given.language ?? taken?.language
  const languages = taken?.languages.filter((each) => each !== language) ?? []
  return {
    preset,
    languages,
    ...(content !== undefined && { content }),
    ...(language !== undefined && { language }),
  }
}
