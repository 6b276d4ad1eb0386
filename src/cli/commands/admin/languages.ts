// `kb admin languages`
import { formatNumber } from '../../../core/format-number.ts'
import { formatTable } from '../../text/format-table.ts'
import { readLanguage } from './arguments.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'

/** `kb admin languages list` */
export async function listLanguages({ admin, site, width }: StoreCall): Promise<AdminAnswer> {
  const languages = await admin.languages.list(site.id)
  const columns = [
    { title: 'CODE' },
    { title: '' },
    { title: 'ARTICLES', align: 'right' },
    { title: 'CATEGORIES', align: 'right' },
    { title: 'TAGS', align: 'right' },
  ] as const
  const rows = languages.map(({ code, isDefault, articles, categories, tags }) => [
    code,
    isDefault ? 'default' : '',
    formatNumber(articles),
    formatNumber(categories),
    formatNumber(tags),
  ])
  const documents = languages.map(({ isDefault, ...language }) => ({ ...language, default: isDefault }))
  return { document: { site: site.name, languages: documents }, text: formatTable(columns, rows, width) }
}

/** `kb admin languages add CODE` */
export async function addLanguage({ admin, args, site }: StoreCall): Promise<AdminAnswer> {
  const code = readLanguage(args[0])
  await admin.languages.add(site.id, code)
  return { document: { site: site.name, added: code }, text: `Language "${code}" was enabled.\n` }
}

/** `kb admin languages remove CODE`: asks nothing, since only what is unused can be removed. */
export async function removeLanguage({ admin, args, site }: StoreCall): Promise<AdminAnswer> {
  const code = readLanguage(args[0])
  await admin.languages.remove(site.id, code)
  return { document: { site: site.name, removed: code }, text: `Language "${code}" was disabled.\n` }
}
