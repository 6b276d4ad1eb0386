// What `kb admin categories` and `kb admin tags` share.
import GithubSlugger from 'github-slugger'
import { KbError } from '../../../core/errors/kb-error.ts'
import { lookUp } from '../../../core/model/taxonomy.ts'
import type { CategoryOverview, TaxonOverview } from '../../../server/store/admin/admin-store.ts'
import { lowerCaseUuid } from '../../../core/lower-case-uuid.ts'
import { nearest } from '../../../core/nearest.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { parseName, readSlug, parseText } from './arguments.ts'

export interface TaxonOptions {
  readonly name?: string
  readonly slug?: string
  readonly description?: string
}

export type CategoryWithPath = CategoryOverview & { readonly path: readonly string[] }

/** Categories with the names from their topmost ancestor down to them. */
export function placeCategories(categories: readonly CategoryOverview[]): CategoryWithPath[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const pathOf = ({ name, parentId }: CategoryOverview): string[] => {
    const parent = parentId === null ? undefined : byId.get(parentId)
    return parent === undefined ? [name] : [...pathOf(parent), name]
  }
  return categories.map((category) => ({ ...category, path: pathOf(category) }))
}

/**
 * The item that a word on the command line means: by id, slug, name or path.
 *
 * @throws KbError ITEM_UNKNOWN, USAGE where it may mean several
 */
export function findTaxon<Item extends TaxonOverview>(
  text: string | undefined,
  items: readonly Item[],
  noun: 'category' | 'tag',
): Item {
  const word = parseName(text, noun)
  const byId = items.find(({ id }) => id === lowerCaseUuid(word))
  if (byId !== undefined) return byId
  const found = lookUp(word, items)
  if (found.kind === 'found') return found.entry
  if (found.kind === 'ambiguous') {
    const slugs = found.entries.map(({ slug }) => slug).join(', ')
    throw new KbError('USAGE', `"${word}" may mean more than one ${noun}. Nothing was changed.`, {
      hint: `Name it by its slug: ${slugs}.`,
    })
  }
  const meant = nearest(
    word,
    items.flatMap(({ slug, name }) => [slug, name]),
  )
  throw new KbError('ITEM_UNKNOWN', `There is no ${noun} "${word}". Nothing was changed.`, {
    hint:
      meant === undefined
        ? `kb admin ${noun === 'tag' ? 'tags' : 'categories'} list shows them all.`
        : `Did you mean "${meant}"?`,
  })
}

/** Name, slug and description of a new item; a slug that is not given is made from the name. */
export function readNewTaxon(name: string | undefined, options: TaxonOptions) {
  const checked = parseName(name, 'name')
  return {
    name: checked,
    slug: readSlug(options.slug ?? new GithubSlugger().slug(checked)),
    description: parseText(options.description, 'description'),
  }
}

/** The same of an update, where what is not given keeps its value. */
export function readTaxonEdit({ name, slug, description }: TaxonOptions) {
  return {
    name: name === undefined ? undefined : parseName(name, 'name'),
    slug: slug === undefined ? undefined : readSlug(slug),
    description: description === undefined ? undefined : parseText(description, 'description'),
  }
}

/** Members that categories and tags have alike in JSON. */
export function toTaxonDocument({
  id,
  name,
  slug,
  language,
  description,
  articles,
  translations,
}: TaxonOverview): TaxonOverview {
  return { id, name, slug, language, description, articles, translations }
}

/** `fr, de`: the languages of the translations. */
export function translatedInto({ translations }: TaxonOverview): string {
  return translations.map(({ language }) => language).join(', ')
}

/** The question before an item goes, and what is said afterwards. */
export function describeRemoval(noun: 'category' | 'tag', item: TaxonOverview) {
  const into = translatedInto(item)
  const translations = into === '' ? '' : ` with its translations (${into})`
  const from =
    item.articles === 0 ? 'no article has it' : `${pluralize(item.articles, 'article')} will lose it`
  return {
    question: `Remove the ${noun} "${item.name}"${translations}; ${from}?`,
    done: `${noun === 'tag' ? 'Tag' : 'Category'} "${item.name}" was removed from ${pluralize(item.articles, 'article')}.\n`,
  }
}
