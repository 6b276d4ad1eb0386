import type { EleventyEvents, Listener, EleventyConfig } from './eleventy-config.ts'
import { html } from 'hono/html'
import type { ContentFailure } from '../adapter/content-failure.ts'
import type { KbCollections } from './collections.ts'
import { relative, sep } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import type { Adapter } from '../adapter/adapter.ts'

interface FileWishes {
  /** Absolute path of Eleventy's working directory. */
  readonly cwd: string
  /** The plugin's configuration file. */
  readonly configFile: string | undefined
  /** True if the articles are not templates of the site. */
  readonly ignoresContent: boolean
}

/**
 * Makes Eleventy watch the articles and the configuration, whose edits run the plugin again, and excludes the articles
 * from its templates. An invalid configuration is watched, too: the build reports the problem.
 */
export async function announceFiles(
  config: EleventyConfig,
  adapter: Adapter,
  { cwd, configFile, ignoresContent }: FileWishes,
): Promise<void> {
  const fromHere = (path: string) => relative(cwd, path).replaceAll(sep, '/') || '.'
  const watched = await adapter.watched().catch(() => undefined)
  const known = watched?.configFiles.map(fromHere) ?? []
  const configFiles = known.length > 0 ? known : configFile === undefined ? CONFIG_NAMES : [configFile]
  for (const file of configFiles) config.addWatchTarget(file, { resetConfig: true })
  if (watched === undefined) return
  const content = fromHere(watched.content)
  config.addWatchTarget(content)
  if (ignoresContent) config.ignores.add(`${literally(content)}/**/*.md`)
  const workspace = `${literally(fromHere(await adapter.root()))}/.kb/**`
  config.ignores.add(workspace)
  config.watchIgnores?.add(workspace)
}

function literally(path: string): string {
  return path.replaceAll(/[()[\]{}!*+@?]/g, '?')
}

/** Provides the collections to templates, with a filter for each that finds an item by id. */
export function offerCollections(config: EleventyConfig, collections: () => KbCollections): void {
  offer(config, { collection: 'kb', filter: 'kbArticle' }, () => collections().articles)
  offer(config, { collection: 'kbCategories', filter: 'kbCategory' }, () => collections().categories)
  offer(config, { collection: 'kbTags', filter: 'kbTag' }, () => collections().tags)
}

function offer(
  config: EleventyConfig,
  names: { readonly collection: string; readonly filter: string },
  list: () => readonly Item[],
): void {
  const find = finder(list)
  config.addCollection(names.collection, () => [...list()])
  config.addFilter(names.filter, (id) => find(id))
}

interface Item {
  readonly id: string
}

/** Finds items in the current list, with an index built once. */
function finder(list: () => readonly Item[]): (id: string) => Item | undefined {
  let known: { readonly of: readonly Item[]; readonly byId: ReadonlyMap<string, Item> } | undefined
  return (id) => {
    const items = list()
    if (known?.of !== items) known = { of: items, byId: new Map(items.map((item) => [item.id, item])) }
    return known.byId.get(id)
  }
}

/** Shows the problems of the content on the pages of the development server until they are fixed. */
export function showProblems(config: EleventyConfig, current: () => ContentFailure | undefined): void {
  config.addTransform('kb-sync-problems', async function (content) {
    const failure = current()
    const { outputPath } = this.page ?? {}
    const isPage = typeof outputPath === 'string' && outputPath.endsWith('.html')
    return failure !== undefined && isPage ? withProblemPanel(content, failure) : content
  })
}

const STYLE =
  'position:fixed;inset:auto 0 0 0;z-index:2147483647;box-sizing:border-box;max-height:60vh;overflow:auto;margin:0;' +
  'padding:1rem 1.25rem;border-top:3px solid #d33;background:#1d1d1f;color:#f5f5f7;text-align:left;' +
  'font:14px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'
const LINES =
  'margin:.5rem 0 0;padding:0;border:0;background:none;color:inherit;font:inherit;white-space:pre-wrap'
const END = '</body>'

/** Adds the problems of the content at the bottom of a development server's page. Fragments are not changed. */
async function withProblemPanel(page: string, { title, report }: ContentFailure): Promise<string> {
  const end = page.lastIndexOf(END)
  if (end === -1) return page
  const lines = html`<pre style="${LINES}">${report}</pre>`
  const panel = await html`<aside role="alert" id="kb-sync-problems" style="${STYLE}">
    <strong>kb-sync: ${title}</strong>${lines}
  </aside>`
  return `${page.slice(0, end)}${panel}${page.slice(end)}`
}

/** Marks listeners that wait for all others, so that they do not wait for each other. */
const IS_LAST = Symbol('kb-sync: called last')

/**
 * Calls a listener after all others of its event, and not at all if one of them failed. By default, Eleventy starts
 * them all at once, and a step that fails after the pages are written also fails the build.
 *
 * @returns a function that wraps the current listeners: call it before every build
 */
export function callLast(events: EleventyEvents, name: string, last: Listener): () => void {
  const followed = new WeakSet<Listener>()
  let underWay: unknown[] = []

  const final: Listener = async (...args) => {
    const others = underWay
    underWay = []
    await Promise.all(others)
    await last(...args)
  }
  const follow = (listener: Listener): Listener => {
    const following = function (this: unknown, ...args: never[]): unknown {
      const result: unknown = Reflect.apply(listener, this, args)
      underWay.push(result)
      return result
    }
    followed.add(following)
    return following
  }

  return () => {
    underWay = []
    events.off(name, final)
    for (const listener of events.listeners(name).filter(isListener)) {
      if (IS_LAST in listener) continue
      // Removes and adds all of them, so that each keeps its position.
      events.off(name, listener)
      events.on(name, followed.has(listener) ? listener : follow(listener))
    }
    events.on(name, Object.assign(final, { [IS_LAST]: true }))
  }
}

function isListener(value: unknown): value is Listener {
  return typeof value === 'function'
}

/**
 * Runs `stop` on the first Ctrl-C. The process ends afterwards as usual.
 *
 * @returns a function that removes the handler
 */
export function stopOnInterrupt(stop: () => Promise<void>): () => void {
  const interrupt = () => {
    void stop().finally(() => {
      // Eleventy's command has its own listener while it watches. Without one, only this listener prevented the exit.
      if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, 'SIGINT')
    })
  }
  process.once('SIGINT', interrupt)
  return () => process.off('SIGINT', interrupt)
}

/** True if Eleventy's command writes nothing, which it does not tell its plugins. */
export function isDryRun(argv: readonly string[]): boolean {
  return argv.some((argument) => argument === '--dryrun' || argument === '--dryrun=true')
}
