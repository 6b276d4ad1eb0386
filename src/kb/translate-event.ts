import { relative, sep } from 'node:path'
import type { Settings } from '../core/config/settings.ts'
import type { OperationResult } from '../core/model/plan.ts'
import { createPageUrls } from '../web/pages/page-urls.ts'
import { pageAddressesOf } from '../web/pages/page-addresses-of.ts'
import type { Preview } from '../watch/preview/start-preview.ts'
import type { WatchEvent } from '../watch/watch-event.ts'
import { type ChosenTarget, toWatched } from './choose-watched.ts'
import type { KbWatchEvent } from './watch-events.ts'

/**
 * Makes of what the watch of the files tells what a program is told: without keys, and with the addresses of pages.
 *
 * @param settings those that hold now
 */
export function createEventTranslator(
  { passedOver }: ChosenTarget,
  preview: Pick<Preview, 'url' | 'portTaken'> | undefined,
  settings: () => Settings,
): (event: WatchEvent) => KbWatchEvent {
  let known = { settings: settings(), urlOf: urlsOf(settings()) }
  const urlOf = (operation: OperationResult) => {
    if (known.settings !== settings()) known = { settings: settings(), urlOf: urlsOf(settings()) }
    return known.urlOf(operation)
  }
  return (event) => {
    if (event.kind === 'started') {
      const { root, contentRoot } = settings()
      return {
        ...event,
        target: toWatched(event.target),
        passedOver,
        content: relative(root, contentRoot).split(sep).join('/') || '.',
        pages: preview?.url,
        portTaken: preview?.portTaken,
      }
    }
    if (event.kind !== 'sent') return event
    const operations = event.operations.map((operation) => ({ ...operation, url: urlOf(operation) }))
    return { ...event, operations }
  }
}

/** Where the page of an article is that stands after an operation; undefined for anything else. */
function urlsOf(settings: Settings): (operation: OperationResult) => string | undefined {
  const { defaultLanguage } = settings
  const urls = createPageUrls(pageAddressesOf(settings), [defaultLanguage])
  return ({ kind, action, slug, language }) =>
    kind === 'article' && action !== 'delete'
      ? urls.article({ slug, language: language ?? defaultLanguage })
      : undefined
}
