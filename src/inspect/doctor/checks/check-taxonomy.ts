import { planTaxonomy, type TaxonomyStep } from '../../../sync/plan/taxonomy/plan-taxonomy.ts'
import { createTaxonomyIndex } from '../../../sync/plan/taxonomy/taxonomy-index.ts'
import { type Finding, ok, skipped, unknown, warning } from '../finding.ts'
import type { TargetFacts } from '../target-facts.ts'
import { listed } from '../wording.ts'

type Facts = Pick<TargetFacts, 'content' | 'lists' | 'state' | 'target' | 'settings'>

/** What the taxonomy files list and the target lacks. No tag is read: the interface lists none. */
export function checkTaxonomy(facts: Facts): Finding[] {
  if (facts.content === undefined) {
    const reason = 'the files could not be read'
    return [skipped('target.categories', reason), skipped('target.tags', reason)]
  }
  const { categories = [], tags = [] } = facts.content.taxonomy
  const lacking = stepsOf(facts).filter(({ operation }) => operation.id === '')
  const namesOf = (kind: 'category' | 'tag') =>
    lacking.flatMap(({ operation, stateKey }) =>
      operation.kind === kind ? [stateKey.slice(`${kind}:`.length)] : [],
    )
  return [
    judgeCategories(namesOf('category'), categories.length),
    judgeTags(namesOf('tag'), tags.length, facts.state.isKnown),
  ]
}

function stepsOf({ content, lists, state, target, settings }: Facts): readonly TaxonomyStep[] {
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

function judgeCategories(missing: readonly string[], all: number): Finding {
  if (missing.length === 0) {
    return ok(
      'target.categories',
      all === 0 ? 'the files list no categories' : 'the target has all categories',
    )
  }
  return warning(
    'target.categories',
    `The target lacks, or has several times: ${listed(missing)}. Articles in them cannot be sent.`,
    'Create them in its web interface, or give their id in _categories.yml.',
  )
}

function judgeTags(missing: readonly string[], all: number, isKnown: boolean): Finding {
  if (missing.length === 0) {
    return ok('target.tags', all === 0 ? 'the files list no tags' : 'the ids of all tags are known')
  }
  if (!isKnown) {
    return unknown(
      'target.tags',
      `the ids of these tags are not known yet: ${listed(missing)}`,
      'A sync learns them from articles that carry them; else write them as id into _tags.yml.',
    )
  }
  return warning(
    'target.tags',
    `No article of the target has shown the ids of these tags: ${listed(missing)}.`,
    'Create them in its web interface, and write their ids as id into _tags.yml.',
  )
}
