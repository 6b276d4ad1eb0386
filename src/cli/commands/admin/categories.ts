// `kb admin categories`
import { formatCategoryPath } from '../../../core/category-path.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { formatTable } from '../../text/format-table.ts'
import { readNumber } from './arguments.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'
import {
  describeRemoval,
  findTaxon,
  placeCategories,
  type CategoryWithPath,
  readNewTaxon,
  readTaxonEdit,
  type TaxonOptions,
  toTaxonDocument,
  translatedInto,
} from './taxonomy.ts'

interface CategoryOptions extends TaxonOptions {
  readonly parent?: string
  readonly priority?: string
}

/** `kb admin categories list` */
export async function runListCategories(call: StoreCall): Promise<AdminAnswer> {
  const categories = await read(call)
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
    document: { site: call.site.name, categories: categories.map((category) => toDocument(category)) },
    text: formatTable(columns, rows, call.width),
  }
}

/** `kb admin categories add NAME` */
export async function addCategory(call: StoreCall<CategoryOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site, now } = call
  const parent = options.parent === undefined ? null : findTaxon(options.parent, await read(call), 'category')
  const id = await admin.categories.add(site.id, {
    ...readNewTaxon(args[0], options),
    parentId: parent?.id ?? null,
    priority: options.priority === undefined ? 0 : readNumber(options.priority, 'priority'),
    now,
  })
  return answerWith(call, id, 'added')
}

/** `kb admin categories update CATEGORY`; an empty --parent takes the parent away. */
export async function updateCategory(call: StoreCall<CategoryOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site, now } = call
  const categories = await read(call)
  const { id } = findTaxon(args[0], categories, 'category')
  await admin.categories.update(site.id, id, {
    ...readTaxonEdit(options),
    parentId: options.parent ? findTaxon(options.parent, categories, 'category').id : options.parent,
    priority: options.priority === undefined ? undefined : readNumber(options.priority, 'priority'),
    now,
  })
  return answerWith(call, id, 'updated')
}

/** `kb admin categories remove CATEGORY` */
export async function removeCategory(call: StoreCall): Promise<AdminAnswer> {
  const { admin, args, site, confirm } = call
  const categories = await read(call)
  const category = findTaxon(args[0], categories, 'category')
  const { question, done } = describeRemoval('category', category)
  // One that has children is refused anyway: nobody need be asked first.
  if (categories.every(({ parentId }) => parentId !== category.id)) await confirm(question)
  await admin.categories.remove(site.id, category.id)
  return { document: { site: site.name, removed: toDocument(category) }, text: done }
}

async function read({ admin, site }: StoreCall): Promise<CategoryWithPath[]> {
  const categories = placeCategories(await admin.categories.list(site.id))
  const keyOf = ({ path }: CategoryWithPath) => formatCategoryPath(path)
  return categories.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

async function answerWith(call: StoreCall, id: string, done: string): Promise<AdminAnswer> {
  const category = findTaxon(id, await read(call), 'category')
  return {
    document: { site: call.site.name, category: toDocument(category) },
    text: `Category "${category.name}" was ${done}: ${category.id}\n`,
  }
}

function toDocument(category: CategoryWithPath): object {
  const { parentId, priority, path } = category
  return { ...toTaxonDocument(category), path: formatCategoryPath(path), parent: parentId, priority }
}

function languagesOf(category: CategoryWithPath): string {
  return [category.language, translatedInto(category)].filter((part) => part !== '').join(', ')
}
