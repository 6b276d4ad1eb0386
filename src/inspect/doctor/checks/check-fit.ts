// Checks that the target supports the languages, categories and tags of the files.
import {
  onTarget,
  readCapabilities,
  type TargetCapabilities,
} from '../../../sync/plan/target-capabilities.ts'
import { type Finding, listed, ok, skipped, unknown, warning } from '../finding.ts'
import type { TargetFacts } from '../doctor-options.ts'
import { planTaxonomy, type TaxonomyStep } from '../../../sync/plan/taxonomy/plan-taxonomy.ts'
import { createTaxonomyIndex } from '../../../sync/plan/taxonomy/taxonomy-index.ts'

type LanguageFacts = Pick<TargetFacts, 'extensions' | 'content' | 'settings'> & {
  /** Enabled languages; empty if the target does not list them. */
  readonly enabled: readonly string[]
}

/** Compares the languages of the files with those that the target supports and has enabled. */
export function checkLanguages({ extensions, enabled, content, settings }: LanguageFacts): Finding {
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
  extensions: LanguageFacts['extensions'],
  enabled: readonly string[],
): Finding {
  if (extensions === undefined) {
    return unknown(
      'target.languages',
      'the target did not announce whether it accepts languages',
      'Run kb doctor again.',
    )
  }
  if (!readCapabilities(extensions).languages) {
    return warning(
      'target.languages',
      `The target does not announce that it accepts articles in other languages: those in ${listed(used)} are skipped.`,
      'Maintain them in the web interface of the service, or use a target that announces languages, such as kb serve.',
    )
  }
  const missing = enabled.length === 0 ? [] : used.filter((language) => !enabled.includes(language))
  return missing.length === 0
    ? ok('target.languages', `the target accepts ${listed(used)}`)
    : warning(
        'target.languages',
        `The target has not enabled ${listed(missing)}: articles in them are skipped.`,
        `${onTarget(readCapabilities(extensions), `kb admin languages add ${missing[0] ?? ''}`, 'Enable them')}${missing.length > 1 ? ', and so on' : ''}.`,
      )
}

type TaxonomyFacts = Pick<TargetFacts, 'extensions' | 'content' | 'lists' | 'state' | 'target' | 'settings'>

/** Finds missing entries of the taxonomy files. Tags are not compared, because the API does not list them. */
export function checkTaxonomy(facts: TaxonomyFacts): Finding[] {
  if (facts.content === undefined) {
    const reason = 'the files could not be read'
    return [skipped('target.categories', reason), skipped('target.tags', reason)]
  }
  const { categories = [], tags = [] } = facts.content.taxonomy
  const lacking = stepsOf(facts).filter(({ operation }) => operation.id === undefined)
  const namesOf = (kind: 'category' | 'tag') =>
    lacking.flatMap(({ operation, stateKey }) =>
      operation.kind === kind ? [stateKey.slice(`${kind}:`.length)] : [],
    )
  const offers = readCapabilities(facts.extensions ?? facts.state.extensions ?? [])
  return [
    judgeCategories(namesOf('category'), categories.length, offers),
    judgeTags(namesOf('tag'), tags.length, facts.state.isKnown, offers),
  ]
}

function stepsOf({ content, lists, state, target, settings }: TaxonomyFacts): readonly TaxonomyStep[] {
  const local = content?.taxonomy ?? { categories: undefined, tags: undefined }
  const index = createTaxonomyIndex({
    local,
    categories: lists.categories,
    categoryIds: state.categoryIds,
    tagIds: state.tagIds,
    target: target.name,
    createsMissing: false,
  })
  return planTaxonomy({
    categories: local.categories ?? [],
    tags: local.tags ?? [],
    index,
    remoteTags: new Map(),
    known: state.taxonomy,
    mode: 'check',
    createsMissing: false,
    defaultLanguage: settings.defaultLanguage,
  }).steps
}

function judgeCategories(missing: readonly string[], all: number, offers: TargetCapabilities): Finding {
  if (missing.length === 0) {
    return ok(
      'target.categories',
      all === 0 ? 'the files list no categories' : 'the target has all categories',
    )
  }
  return warning(
    'target.categories',
    `These categories are missing or ambiguous on the target: ${listed(missing)}. Articles in them cannot be sent.`,
    `${onTarget(offers, 'kb admin categories add NAME for each', 'Create them')}, or add their ids to _categories.yml.`,
  )
}

function judgeTags(
  missing: readonly string[],
  all: number,
  isKnown: boolean,
  offers: TargetCapabilities,
): Finding {
  if (missing.length === 0)
    return ok('target.tags', all === 0 ? 'the files list no tags' : 'the ids of all tags are known')
  if (!isKnown) {
    return unknown(
      'target.tags',
      `the ids of these tags are unknown so far: ${listed(missing)}`,
      'A sync learns them from articles with these tags. Otherwise, add them as id to _tags.yml.',
    )
  }
  return warning(
    'target.tags',
    `No article on the target has these tags, so their ids are unknown: ${listed(missing)}.`,
    `${onTarget(offers, 'kb admin tags add NAME for each', 'Create them')}, and add their ids as id to _tags.yml.`,
  )
}
