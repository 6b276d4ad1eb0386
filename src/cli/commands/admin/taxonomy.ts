// `kb admin categories` and `kb admin tags`
import GithubSlugger from 'github-slugger'
import { KbError } from '../../../core/errors/kb-error.ts'
import { lookUp } from '../../../core/model/taxonomy.ts'
import type { CategoryOverview, TaxonOverview } from '../../../server/store/admin/admin-store.ts'
import { lowerCaseUuid } from '../../../core/lower-case-uuid.ts'
import { nearest } from '../../../core/nearest.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { parseName, readSlug, parseText, readNumber } from './arguments.ts'
import { formatCategoryPath } from '../../../core/category-path.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { formatTable } from '../../text/format-table.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'

interface TaxonOptions {
  readonly name?: string
  readonly slug?: string
  readonly description?: string
}

type CategoryWithPath = CategoryOverview & { readonly path: readonly string[] }

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
    throw new KbError('USAGE', `"${word}" matches more than one ${noun}. Nothing was changed.`, {
      hint: `Use its slug: ${slugs}.`,
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
    item.articles === 0 ? 'no article uses it' : `${pluralize(item.articles, 'article')} will lose it`
  return {
    question: `Remove the ${noun} "${item.name}"${translations}; ${from}?`,
    done: `${noun === 'tag' ? 'Tag' : 'Category'} "${item.name}" was removed from ${pluralize(item.articles, 'article')}.\n`,
  }
}

interface CategoryOptions extends TaxonOptions {
  readonly parent?: string
  readonly priority?: string
}

/** `kb admin categories list` */
export async function listCategories(call: StoreCall): Promise<AdminAnswer> {
  const categories = await readCategories(call)
  const columns = [
    { title: 'ID' },
    { title: 'PATH', isFlexible: true },
    { title: 'SLUG', isFlexible: true },
    { title: 'IN', isFlexible: true },
    { title: 'ARTICLES', align: 'right' },
  ] as const
  const rows = categories.map((category) => [
    category.id,
    formatCategoryPath(category.path),
    category.slug,
    languagesOf(category),
    formatNumber(category.articles),
  ])
  return {
    document: {
      site: call.site.name,
      categories: categories.map((category) => toCategoryDocument(category)),
    },
    text: formatTable(columns, rows, call.width),
  }
}

/** `kb admin categories add NAME` */
export async function addCategory(call: StoreCall<CategoryOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site, now } = call
  const parent =
    options.parent === undefined ? null : findTaxon(options.parent, await readCategories(call), 'category')
  const id = await admin.categories.add(site.id, {
    ...readNewTaxon(args[0], options),
    parentId: parent?.id ?? null,
    priority: options.priority === undefined ? 0 : readNumber(options.priority, 'priority'),
    now,
  })
  return answerWithCategory(call, id, 'added')
}

/** `kb admin categories update CATEGORY`; an empty --parent takes the parent away. */
export async function updateCategory(call: StoreCall<CategoryOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site, now } = call
  const categories = await readCategories(call)
  const { id } = findTaxon(args[0], categories, 'category')
  await admin.categories.update(site.id, id, {
    ...readTaxonEdit(options),
    parentId: options.parent ? findTaxon(options.parent, categories, 'category').id : options.parent,
    priority: options.priority === undefined ? undefined : readNumber(options.priority, 'priority'),
    now,
  })
  return answerWithCategory(call, id, 'updated')
}

/** `kb admin categories remove CATEGORY` */
export async function removeCategory(call: StoreCall): Promise<AdminAnswer> {
  const { admin, args, site, confirm } = call
  const categories = await readCategories(call)
  const category = findTaxon(args[0], categories, 'category')
  const { question, done } = describeRemoval('category', category)
  // One that has children is refused anyway: nobody need be asked first.
  if (categories.every(({ parentId }) => parentId !== category.id)) await confirm(question)
  await admin.categories.remove(site.id, category.id)
  return { document: { site: site.name, removed: toCategoryDocument(category) }, text: done }
}

async function readCategories({ admin, site }: StoreCall): Promise<CategoryWithPath[]> {
  const categories = placeCategories(await admin.categories.list(site.id))
  const keyOf = ({ path }: CategoryWithPath) => formatCategoryPath(path)
  return categories.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

async function answerWithCategory(call: StoreCall, id: string, done: string): Promise<AdminAnswer> {
  const category = findTaxon(id, await readCategories(call), 'category')
  return {
    document: { site: call.site.name, category: toCategoryDocument(category) },
    text: `Category "${category.name}" was ${done}: ${category.id}\n`,
  }
}

function toCategoryDocument(category: CategoryWithPath): object {
  const { parentId, priority, path } = category
  return { ...toTaxonDocument(category), path: formatCategoryPath(path), parent: parentId, priority }
}

function languagesOf(category: CategoryWithPath): string {
  return [category.language, translatedInto(category)].filter((part) => part !== '').join(', ')
}

/** `kb admin tags list` */
export async function listTags({ admin, site, width }: StoreCall): Promise<AdminAnswer> {
  const tags = await admin.tags.list(site.id)
  const columns = [
    { title: 'ID' },
    { title: 'NAME', isFlexible: true },
    { title: 'SLUG', isFlexible: true },
    { title: 'IN', isFlexible: true },
    { title: 'ARTICLES', align: 'right' },
  ] as const
  const rows = tags.map((tag) => [
    tag.id,
    tag.name,
    tag.slug,
    [tag.language, translatedInto(tag)].filter((part) => part !== '').join(', '),
    formatNumber(tag.articles),
  ])
  return {
    document: { site: site.name, tags: tags.map((tag) => toTaxonDocument(tag)) },
    text: formatTable(columns, rows, width),
  }
}

/** `kb admin tags add NAME` */
export async function addTag(call: StoreCall<TaxonOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site, now } = call
  const id = await admin.tags.add(site.id, { ...readNewTaxon(args[0], options), now })
  return answerWithTag(call, id, 'added')
}

/** `kb admin tags update TAG` */
export async function updateTag(call: StoreCall<TaxonOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site, now } = call
  const { id } = findTaxon(args[0], await admin.tags.list(site.id), 'tag')
  await admin.tags.update(site.id, id, { ...readTaxonEdit(options), now })
  return answerWithTag(call, id, 'updated')
}

/** `kb admin tags remove TAG` */
export async function removeTag({ admin, args, site, confirm }: StoreCall): Promise<AdminAnswer> {
  const tag = findTaxon(args[0], await admin.tags.list(site.id), 'tag')
  const { question, done } = describeRemoval('tag', tag)
  await confirm(question)
  await admin.tags.remove(site.id, tag.id)
  return { document: { site: site.name, removed: toTaxonDocument(tag) }, text: done }
}

async function answerWithTag({ admin, site }: StoreCall, id: string, done: string): Promise<AdminAnswer> {
  const tag = findTaxon(id, await admin.tags.list(site.id), 'tag')
  return {
    document: { site: site.name, tag: toTaxonDocument(tag) },
    text: `Tag "${tag.name}" was ${done}: ${tag.id}\n`,
  }
}
