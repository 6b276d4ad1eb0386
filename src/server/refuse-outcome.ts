// The words for what a store would not do.
import { Refusal } from './refusal.ts'
import type { CreateOutcome, UpdateOutcome } from './store/store.ts'

type Noun = 'article' | 'category' | 'tag'
type CreateRefused = Exclude<CreateOutcome, { kind: 'created' }>
type UpdateRefused = Exclude<UpdateOutcome, { kind: 'updated' }>

export function unknownItem(noun: Noun, id: string): Refusal {
  return new Refusal(404, `There is no ${noun} with the id "${id}"`)
}

export function refuseCreate(outcome: CreateRefused, slug: string): Refusal {
  if (outcome.kind === 'slug-taken') return slugTaken('article', slug, outcome.by)
  if (outcome.kind === 'limit-reached') {
    return new Refusal(403, `The article limit of ${outcome.limit} is reached`)
  }
  const noun = outcome.list === 'categories' ? 'category' : 'tag'
  return new Refusal(400, `${outcome.list}[${outcome.index}].value names no ${noun}`)
}

export function refuseUpdate(
  outcome: UpdateRefused,
  noun: 'category' | 'tag',
  id: string,
  request: { readonly slug: string },
): Refusal {
  if (outcome.kind === 'unknown') return unknownItem(noun, id)
  if (outcome.kind === 'slug-taken') return slugTaken(noun, request.slug, outcome.by)
  return new Refusal(400, ruleOf(outcome))
}

function ruleOf(outcome: Exclude<UpdateRefused, { kind: 'unknown' | 'slug-taken' }>): string {
  if (outcome.kind === 'unknown-parent') return 'categoryParent names no category'
  if (outcome.kind === 'own-ancestor') {
    return 'categoryParent must be neither the category itself nor one below it'
  }
  return `lang must be one of the enabled languages: ${outcome.languages.join(', ')}`
}

function slugTaken(noun: Noun, slug: string, by: string): Refusal {
  return new Refusal(409, `The slug "${slug}" is taken by the ${noun} "${by}"`)
}
