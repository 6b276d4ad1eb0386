import type { RemoteTag } from '../../../core/model/remote-article.ts'
import type { LocalTag } from '../../../core/model/taxonomy.ts'
import { digest } from '../../../core/digest.ts'
import type { TaxonomyComparison, TaxonomyPlanInput } from './taxonomy-comparison.ts'
import { writtenTexts } from './written-texts.ts'

/** Digest of what the file says of a tag: tells whether the tag must be read and compared again. */
export function digestTag(tag: LocalTag): string {
  return digest(JSON.stringify([tag.name, tag.slug, tag.description, tag.longDescription]))
}

export function tagStateKey(tag: LocalTag): string {
  return `tag:${tag.name}`
}

/** Compares an entry of `_tags.yml` with the target's tag; one that was not read is as it was last seen. */
export function compareTag(entry: LocalTag, input: TaxonomyPlanInput): TaxonomyComparison {
  const base = {
    operation: {
      kind: 'tag',
      source: entry.source ?? '_tags.yml',
      slug: entry.slug ?? entry.name,
      language: null,
    },
    stateKey: tagStateKey(entry),
    digest: digestTag(entry),
  } as const
  const id = input.index.tagIdOf(entry)
  if (id === undefined) {
    return {
      ...base,
      verdict: 'absent',
      reason: 'its id on the target is not known; write it as id in _tags.yml',
    }
  }
  const remote = input.remoteTags.get(id)
  const differences = remote === undefined ? [] : differencesOf(entry, remote)
  if (remote === undefined || differences.length === 0) return { ...base, verdict: 'equal' }
  const slug = entry.slug ?? remote.slug
  const body = { id, name: entry.name, slug, ...writtenTexts(entry), lang: input.defaultLanguage }
  return { ...base, verdict: 'different', id, differences, before: remote, update: { kind: 'tag', body } }
}

function differencesOf(entry: LocalTag, remote: RemoteTag): string[] {
  const fields = ['name', 'slug', 'description', 'longDescription'] as const
  return fields.filter((field) => entry[field] !== undefined && entry[field] !== remote[field])
}
