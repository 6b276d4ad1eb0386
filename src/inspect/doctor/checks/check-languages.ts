import { readCapabilities } from '../../../sync/plan/target-capabilities.ts'
import { type Finding, ok, skipped, unknown, warning } from '../finding.ts'
import type { TargetFacts } from '../target-facts.ts'
import { listed } from '../wording.ts'

type Facts = Pick<TargetFacts, 'extensions' | 'content' | 'settings'> & {
  /** Languages that are enabled; empty where the target does not say. */
  readonly enabled: readonly string[]
}

/** The languages that the files use against those that the target has enabled and takes. */
export function checkLanguages({ extensions, enabled, content, settings }: Facts): Finding {
  if (content === undefined) return skipped('target.languages', 'the files could not be read')
  const { defaultLanguage } = settings
  if (enabled.length > 0 && !enabled.includes(defaultLanguage)) {
    return warning(
      'target.languages',
      `The target has the languages ${listed(enabled)}; the default language of the files is ${defaultLanguage}.`,
      'Set defaultLanguage to the default language of the target.',
    )
  }
  const used = [...new Set(content.articles.flatMap(({ language }) => language ?? []))].toSorted()
  if (used.length === 0)
    return ok('target.languages', `all files are in the default language, ${defaultLanguage}`)
  return judgeUsed(used, extensions, enabled)
}

function judgeUsed(
  used: readonly string[],
  extensions: Facts['extensions'],
  enabled: readonly string[],
): Finding {
  if (extensions === undefined) {
    return unknown(
      'target.languages',
      'the target did not say whether it takes languages',
      'Run kb doctor again.',
    )
  }
  if (!readCapabilities(extensions).languages) {
    return warning(
      'target.languages',
      `The target does not say that it takes articles in other languages: those in ${listed(used)} are skipped.`,
      'Keep them in the web interface of the target, or use a target that announces languages.',
    )
  }
  const missing = enabled.length === 0 ? [] : used.filter((language) => !enabled.includes(language))
  return missing.length === 0
    ? ok('target.languages', `the target takes ${listed(used)}`)
    : warning(
        'target.languages',
        `The target has not enabled ${listed(missing)}: articles in them are skipped.`,
        'Have the language enabled there.',
      )
}
