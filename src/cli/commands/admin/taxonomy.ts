// `kb admin categories` and `kb admin tags`: the same commands for two kinds of items.
import GithubSlugger from 'github-slugger'
import { KbError } from '../../../core/errors/kb-error.ts'
import { lookUp } from '../../../core/model/taxonomy.ts'
import type {
  CategoryOverview,
  NewTaxon,
  TaxonEdit,
  TaxonOverview,
} from '../../../server/store/admin/taxon-admin.ts'
import { lowerCaseUuid } from '../../../core/lower-case-uuid.ts'
import { didYouMean } from '../../../core/nearest.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { parseName, readSlug, parseText, readPriority } from './arguments.ts'
import { formatCategoryPath } from '../../../core/category-path.ts'
import { formatTable, countColumn, type TextColumn } from '../../text/format-table.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'

interface TaxonOptions {
  readonly name?: string
  readonly slug?: string
  readonly description?: string
  /** Only for categories, like the priority. An empty value removes the parent. */
  readonly parent?: string
  readonly priority?: string
}

type Call = StoreCall<TaxonOptions>

interface TaxonKind<Item extends TaxonOverview> {
  readonly noun: 'category' | 'tag'
  readonly plural: 'categories' | 'tags'
  readonly column: TextColumn<Item>
  readonly list: (call: StoreCall) => Promise<readonly Item[]>
  readonly add: (call: Call, item: NewTaxon, items: readonly Item[]) => Promise<string>
  readonly update: (call: Call, id: string, edit: TaxonEdit, items: readonly Item[]) => Promise<void>
  readonly remove: (call: StoreCall, id: string) => Promise<void>
  /** True if the item cannot be removed, so no confirmation is needed. */
  readonly isInUse: (item: Item, items: readonly Item[]) => boolean
  /** Returns its additional properties in JSON. */
  readonly membersOf: (item: Item) => object
}

type CategoryWithPath = CategoryOverview & { readonly path: readonly string[] }

const CATEGORIES: TaxonKind<CategoryWithPath> = {
  noun: 'category',
  plural: 'categories',
  column: { title: 'PATH', cell: ({ path }) => formatCategoryPath(path), isFlexible: true },
  list: async ({ admin, site }) => placeCategories(await admin.categories.list(site.id)),
  add: ({ admin, site, options: { parent, priority } }, item, categories) =>
    admin.categories.add(site.id, {
      ...item,
      parentId: parent === undefined ? null : findTaxon(parent, categories, CATEGORIES).id,
      priority: priority === undefined ? 0 : readPriority(priority),
    }),
  update: ({ admin, site, options: { parent, priority } }, id, edit, categories) =>
    admin.categories.update(site.id, id, {
      ...edit,
      parentId: parent === '' ? null : parent && findTaxon(parent, categories, CATEGORIES).id,
      priority: priority === undefined ? undefined : readPriority(priority),
    }),
  remove: ({ admin, site }, id) => admin.categories.remove(site.id, id),
  isInUse: ({ id }, categories) => categories.some(({ parentId }) => parentId === id),
  membersOf: ({ path, parentId, priority }) => ({
    path: formatCategoryPath(path),
    parent: parentId,
    priority,
  }),
}

const TAGS: TaxonKind<TaxonOverview> = {
  noun: 'tag',
  plural: 'tags',
  column: { title: 'NAME', cell: ({ name }) => name, isFlexible: true },
  list: ({ admin, site }) => admin.tags.list(site.id),
  add: ({ admin, site }, item) => admin.tags.add(site.id, item),
  update: ({ admin, site }, id, edit) => admin.tags.update(site.id, id, edit),
  remove: ({ admin, site }, id) => admin.tags.remove(site.id, id),
  isInUse: () => false,
  membersOf: () => ({}),
}

/** Returns categories with the names of their ancestors and their own, sorted by these paths. */
function placeCategories(categories: readonly CategoryOverview[]): CategoryWithPath[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const pathOf = ({ name, parentId }: CategoryOverview): string[] => {
    const parent = parentId === null ? undefined : byId.get(parentId)
    return parent === undefined ? [name] : [...pathOf(parent), name]
  }
  const keyOf = ({ path }: CategoryWithPath) => formatCategoryPath(path)
  return categories
    .map((category) => ({ ...category, path: pathOf(category) }))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

export const TAXONOMY_COMMANDS = { categories: commandsOf(CATEGORIES), tags: commandsOf(TAGS) }

function commandsOf<Item extends TaxonOverview>(kind: TaxonKind<Item>) {
  const { noun, plural } = kind
  const title = noun === 'tag' ? 'Tag' : 'Category'
  const toDocument = (item: Item) => ({ ...sharedMembersOf(item), ...kind.membersOf(item) })

  async function answer(call: StoreCall, id: string, done: string): Promise<AdminAnswer> {
    const item = findTaxon(id, await kind.list(call), kind)
    return {
      document: { site: call.site.name, [noun]: toDocument(item) },
      text: `${title} "${item.name}" was ${done}: ${item.id}\n`,
    }
  }

  return {
    list: async (call: StoreCall): Promise<AdminAnswer> => {
      const items = await kind.list(call)
      return {
        document: { site: call.site.name, [plural]: items.map((item) => toDocument(item)) },
        text: formatItems(items, kind, call.width),
      }
    },
    add: async (call: Call): Promise<AdminAnswer> => {
      const items = await kind.list(call)
      return answer(call, await kind.add(call, readNewTaxon(call), items), 'added')
    },
    update: async (call: Call): Promise<AdminAnswer> => {
      const items = await kind.list(call)
      const { id } = findTaxon(call.args[0], items, kind)
      await kind.update(call, id, readTaxonEdit(call), items)
      return answer(call, id, 'updated')
    },
    remove: async (call: StoreCall): Promise<AdminAnswer> => {
      const items = await kind.list(call)
      const item = findTaxon(call.args[0], items, kind)
      if (!kind.isInUse(item, items)) await call.confirm(askToRemove(item, noun))
      await kind.remove(call, item.id)
      return {
        document: { site: call.site.name, removed: toDocument(item) },
        text: `${title} "${item.name}" was removed from ${pluralize(item.articles, 'article')}.\n`,
      }
    },
  }
}

function sharedMembersOf(item: TaxonOverview): TaxonOverview {
  const { id, name, slug, language, description, articles, translations } = item
  return { id, name, slug, language, description, articles, translations }
}

function formatItems<Item extends TaxonOverview>(
  items: readonly Item[],
  { column }: TaxonKind<Item>,
  width: number,
): string {
  const languagesOf = (item: Item) => [item, ...item.translations].map(({ language }) => language).join(', ')
  const columns: readonly TextColumn<Item>[] = [
    { title: 'ID', cell: ({ id }) => id },
    column,
    { title: 'SLUG', cell: ({ slug }) => slug, isFlexible: true },
    { title: 'IN', cell: languagesOf, isFlexible: true },
    countColumn('ARTICLES', ({ articles }) => articles),
  ]
  return formatTable(columns, items, width)
}

/** Finds an item by id, slug, name or path. @throws KbError ITEM_UNKNOWN, USAGE if several match */
function findTaxon<Item extends TaxonOverview>(
  text: string | undefined,
  items: readonly Item[],
  { noun, plural }: Pick<TaxonKind<Item>, 'noun' | 'plural'>,
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
  const names = items.flatMap(({ slug, name }) => [slug, name])
  throw new KbError('ITEM_UNKNOWN', `There is no ${noun} "${word}". Nothing was changed.`, {
    hint: didYouMean(word, names) ?? `kb admin ${plural} list shows them all.`,
  })
}

/** Without a slug, it is derived from the name. */
function readNewTaxon({ args, options, now }: Call): NewTaxon {
  const name = parseName(args[0], 'name')
  return {
    name,
    slug: readSlug(options.slug ?? new GithubSlugger().slug(name)),
    description: parseText(options.description, 'description'),
    now,
  }
}

function readTaxonEdit({ options: { name, slug, description }, now }: Call): TaxonEdit {
  return {
    name: name === undefined ? undefined : parseName(name, 'name'),
    slug: slug === undefined ? undefined : readSlug(slug),
    description: description === undefined ? undefined : parseText(description, 'description'),
    now,
  }
}

function askToRemove({ name, articles, translations }: TaxonOverview, noun: string): string {
  const into = translations.map(({ language }) => language).join(', ')
  const also = translations.length === 0 ? '' : ` with its translations (${into})`
  const from = articles === 0 ? 'no article uses it' : `${pluralize(articles, 'article')} will lose it`
  return `Remove the ${noun} "${name}"${also}; ${from}?`
}
