// `kb admin sites` and `kb admin limits`
import type { SiteOverview } from '../../../server/store/admin/site-admin.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { formatTable, countColumn, type TextColumn } from '../../text/format-table.ts'
import { readLanguages, readLimit, parseName, readLanguage } from './arguments.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'

type Call<Options = unknown> = StoreCall<Options>

export async function listSites({ admin, articleLimit, width }: Call): Promise<AdminAnswer> {
  const sites = await admin.sites.list()
  const columns: readonly TextColumn<SiteOverview>[] = [
    { title: 'NAME', cell: ({ name }) => name, isFlexible: true },
    { title: 'LANGUAGES', cell: ({ languages }) => languages.join(', '), isFlexible: true },
    countColumn('ARTICLES', ({ articles }) => articles),
    countColumn('LIMIT', (site) => site.articleLimit ?? articleLimit),
    countColumn('USERS', ({ users }) => users),
    countColumn('KEYS', ({ keys }) => keys),
  ]
  return {
    document: { sites: sites.map((site) => toDocument(site, articleLimit)) },
    text: formatTable(columns, sites, width),
  }
}

export async function addSite(call: Call<{ languages?: string; limit?: string }>): Promise<AdminAnswer> {
  const { admin, args, options, site: defaultSite, articleLimit, now } = call
  const site = await admin.sites.add({
    name: parseName(args[0], 'name'),
    languages:
      options.languages === undefined ? defaultSite.languages.slice(0, 1) : readLanguages(options.languages),
    articleLimit: options.limit === undefined ? null : readLimit(options.limit),
    now,
  })
  return {
    document: { site: toDocument(site, articleLimit) },
    text: `Site "${site.name}" was added with the languages ${site.languages.join(', ')}.\n`,
    note: `Next, add a user and a key: kb admin users add, then kb admin keys add, each with --site.`,
  }
}

export async function renameSite({ admin, args, articleLimit }: Call): Promise<AdminAnswer> {
  const [from, to] = [parseName(args[0], 'name'), parseName(args[1], 'new name')]
  await admin.sites.rename(from, to)
  return {
    document: { site: toDocument(await admin.sites.find(to), articleLimit) },
    text: `Site "${from}" is now "${to}".\n`,
  }
}

export async function removeSite({ admin, args, confirm }: Call): Promise<AdminAnswer> {
  const { name, isDefault, articles, users, keys } = await admin.sites.find(parseName(args[0], 'name'))
  const contents = `${pluralize(articles, 'article')}, ${pluralize(users, 'user')} and ${pluralize(keys, 'valid key')}`
  // The default site cannot be removed, so no confirmation is needed.
  if (!isDefault) await confirm(`Remove the site "${name}" with ${contents}?`)
  await admin.sites.remove(name)
  return {
    document: { removed: { name, articles, users, keys } },
    text: `Site "${name}" was removed with ${contents}.\n`,
  }
}

/** `kb admin limits list`: of the site from --site, otherwise of all. */
export async function listLimits({ admin, site, options, articleLimit, width }: Call): Promise<AdminAnswer> {
  const sites = options.site === undefined ? await admin.sites.list() : [site]
  const limits = sites.map((each) => ({
    site: each.name,
    ...limitOf(each, articleLimit),
    articles: each.articles,
  }))
  const columns: readonly TextColumn<(typeof limits)[number]>[] = [
    { title: 'SITE', cell: (each) => each.site, isFlexible: true },
    countColumn('ARTICLES', ({ articles }) => articles),
    countColumn('LIMIT', ({ limit }) => limit),
    { title: 'SET BY', cell: ({ source }) => source },
  ]
  return { document: { limits }, text: formatTable(columns, limits, width) }
}

export async function setLimit({ admin, args, site, articleLimit }: Call): Promise<AdminAnswer> {
  const own = readLimit(args[0])
  await admin.sites.setLimit(site.id, own)
  const { limit, source } = limitOf({ articleLimit: own }, articleLimit)
  const from = source === 'site' ? '' : ' from server.articleLimit'
  return {
    document: { limit: { site: site.name, limit, source, articles: site.articles } },
    text: `Site "${site.name}" may hold ${pluralize(limit, 'article')}${from}; it holds ${formatNumber(site.articles)}.\n`,
  }
}

function limitOf({ articleLimit }: Pick<SiteOverview, 'articleLimit'>, general: number) {
  const source = articleLimit === null ? ('server.articleLimit' as const) : ('site' as const)
  return { limit: articleLimit ?? general, source }
}

function toDocument(site: SiteOverview, general: number): object {
  const { limit, source } = limitOf(site, general)
  return {
    id: site.id,
    name: site.name,
    default: site.isDefault,
    languages: site.languages,
    limit,
    limitSource: source,
    articles: site.articles,
    users: site.users,
    keys: site.keys,
    created: site.createdDate,
  }
}

export async function listLanguages({ admin, site, width }: StoreCall): Promise<AdminAnswer> {
  const languages = await admin.languages.list(site.id)
  const columns: readonly TextColumn<(typeof languages)[number]>[] = [
    { title: 'CODE', cell: ({ code }) => code },
    { title: '', cell: ({ isDefault }) => (isDefault ? 'default' : '') },
    countColumn('ARTICLES', ({ articles }) => articles),
    countColumn('CATEGORIES', ({ categories }) => categories),
    countColumn('TAGS', ({ tags }) => tags),
  ]
  const documents = languages.map(({ isDefault, ...language }) => ({ ...language, default: isDefault }))
  return { document: { site: site.name, languages: documents }, text: formatTable(columns, languages, width) }
}

export async function addLanguage({ admin, args, site }: StoreCall): Promise<AdminAnswer> {
  const code = readLanguage(args[0])
  await admin.languages.add(site.id, code)
  return { document: { site: site.name, added: code }, text: `Language "${code}" was enabled.\n` }
}

/** Returns `kb admin languages remove CODE`: needs no confirmation, because only an unused language can be removed. */
export async function removeLanguage({ admin, args, site }: StoreCall): Promise<AdminAnswer> {
  const code = readLanguage(args[0])
  await admin.languages.remove(site.id, code)
  return { document: { site: site.name, removed: code }, text: `Language "${code}" was disabled.\n` }
}
