// `kb admin tags`
import { formatNumber } from '../../../core/format-number.ts'
import { formatTable } from '../../text/format-table.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'
import {
  describeRemoval,
  findTaxon,
  readNewTaxon,
  readTaxonEdit,
  type TaxonOptions,
  toTaxonDocument,
  translatedInto,
} from './taxonomy.ts'

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
  return answerWith(call, id, 'added')
}

/** `kb admin tags update TAG` */
export async function updateTag(call: StoreCall<TaxonOptions>): Promise<AdminAnswer> {
  const { admin, args, options, site, now } = call
  const { id } = findTaxon(args[0], await admin.tags.list(site.id), 'tag')
  await admin.tags.update(site.id, id, { ...readTaxonEdit(options), now })
  return answerWith(call, id, 'updated')
}

/** `kb admin tags remove TAG` */
export async function removeTag({ admin, args, site, confirm }: StoreCall): Promise<AdminAnswer> {
  const tag = findTaxon(args[0], await admin.tags.list(site.id), 'tag')
  const { question, done } = describeRemoval('tag', tag)
  await confirm(question)
  await admin.tags.remove(site.id, tag.id)
  return { document: { site: site.name, removed: toTaxonDocument(tag) }, text: done }
}

async function answerWith({ admin, site }: StoreCall, id: string, done: string): Promise<AdminAnswer> {
  const tag = findTaxon(id, await admin.tags.list(site.id), 'tag')
  return {
    document: { site: site.name, tag: toTaxonDocument(tag) },
    text: `Tag "${tag.name}" was ${done}: ${tag.id}\n`,
  }
}
