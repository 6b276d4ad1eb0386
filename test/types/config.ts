// kb.config.ts as its author sees it.
import {
  type ArticleLink,
  defineConfig,
  type KbConfig,
  type PageMessages,
  type RemoteTarget,
  type RuleCode,
} from 'kb-sync'
import { kb } from 'kb-sync/vite'

defineConfig({})
defineConfig({
  project: 'demo',
  target: { url: 'https://help.example.com', apiKey: process.env['KB_KEY'] },
  rules: { 'bare-url': 'off', 'review-overdue': 'error', 'tag-used-once': undefined },
  links: { article: ({ slug, language }) => `/${language}/${slug}` },
  sync: { maxDeletes: '10%', onConflict: 'skip' },
  report: { dueWithin: '14d', failOn: ['overdue', 'broken'], maxOverdue: 0, baseline: 'accepted.json' },
})

// @ts-expect-error -- an unknown key
defineConfig({ contnet: 'docs' })
// @ts-expect-error -- an unknown key further in
defineConfig({ sync: { concurency: 8 } })
// @ts-expect-error -- no such rule
defineConfig({ rules: { 'bare-urls': 'off' } })
// @ts-expect-error -- a problem that is no rule has no severity to be set
defineConfig({ rules: { 'slug-duplicate': 'off' } })
// @ts-expect-error -- no such severity
defineConfig({ rules: { 'bare-url': 'warn' } })
// @ts-expect-error -- no such way
defineConfig({ sync: { onConflict: 'ask' } })
// @ts-expect-error -- no such threshold
defineConfig({ report: { failOn: ['late'] } })
// @ts-expect-error -- a target needs an address
defineConfig({ target: { apiKey: 'x' } })
// @ts-expect-error -- only one target is known by its name alone
defineConfig({ target: 'production' })
// @ts-expect-error -- an address is text
defineConfig({ links: { article: ({ slug }) => slug.length } })

// An editor completes rules from exactly these names.
type Rules = keyof NonNullable<KbConfig['rules']>
export const rules: readonly [RuleCode, Rules] = ['bare-url' satisfies Rules, 'bare-url' satisfies RuleCode]

// Whatever may be left out may be undefined, also under exactOptionalPropertyTypes: `apiKey: process.env.KEY`.
type Picky<Type> = {
  [Key in keyof Type]-?: { readonly [Same in Key]: undefined } extends Pick<Type, Key> ? never : Key
}[keyof Type]
type Group = 'defaults' | 'links' | 'assets' | 'markdown' | 'rules' | 'sync' | 'report' | 'server'
type PickyInside = { [Name in Group]: Picky<NonNullable<KbConfig[Name]>> }[Group]
type None<Type> = [Type] extends [never] ? true : false
export const mayBeUndefined: readonly [
  None<Picky<KbConfig>>,
  None<PickyInside>,
  None<Picky<Omit<RemoteTarget, 'url'>>>,
] = [true, true, true]
// @ts-expect-error -- an address may not: what is tested above can fail
export const urlMayBeUndefined: None<Picky<RemoteTarget>> = true

// A language has all texts of the pages, or does not compile.
declare const spanish: PageMessages
const { search, ...withoutSearch } = spanish
defineConfig({ pages: { messages: { es: { ...withoutSearch, search } } } })
// @ts-expect-error -- a text is missing
defineConfig({ pages: { messages: { es: withoutSearch } } })
// @ts-expect-error -- an unknown text
defineConfig({ pages: { messages: { es: { ...spanish, serch: 'Buscar' } } } })
// @ts-expect-error -- a number needs a function
defineConfig({ pages: { messages: { es: { ...spanish, found: 'artículos' } } } })
type MayBeMissing<Type> = {
  [Key in keyof Type]-?: Partial<Pick<Type, Key>> extends Pick<Type, Key> ? Key : never
}[keyof Type]
export const everyTextIsRequired: None<MayBeMissing<PageMessages>> = true

export const link: ArticleLink = { slug: 'a', language: 'en' }
// @ts-expect-error -- a link is not changed
link.slug = 'b'

kb({ sync: 'build', check: undefined })
// @ts-expect-error -- no such moment
kb({ sync: 'always' })
