// @ts-check
// Updates open pages while files are edited: only the changed parts, so that scroll position, focus and open details
// stay. All tabs share one stream, since a browser limits the connections to a host to six.
import { patchChildren } from './patch.js'

/** The parts that are replaced from the reloaded page; the search form between them belongs to the reader. */
const REGIONS = ['.kb-tools', '.kb-body']

/** A restart of the watch takes less time and is not reported. */
const LOST_AFTER_MS = 2000
const RETRY_MS = 2000

const address = document.querySelector('meta[name="kb-events"]')?.getAttribute('content')
const notice = document.createElement('p')
notice.className = 'kb-notice'
notice.setAttribute('role', 'status')
// The text is for authors and always in English.
notice.lang = 'en'
notice.dir = 'ltr'
document.body.append(notice)

let running = false
/** True if the page may be outdated. */
let again = false

if (address) follow(address)
document.addEventListener('submit', (event) => void openInEditor(event))
document.addEventListener('visibilitychange', () => void (again && refresh()))
// A page restored from the back/forward cache may have missed an update.
addEventListener('pageshow', ({ persisted }) => void (persisted && refresh()))

/** @typedef {{ kind: 'open' | 'lost' | 'site' } | { kind: 'articles', urls: string[] }} Message */

/** @param {string} stream */
function follow(stream) {
  const channel = new BroadcastChannel('kb-live')
  channel.addEventListener('message', ({ data }) => receive(data))
  /** @param {Message} message */
  const publish = (message) => {
    channel.postMessage(message)
    receive(message)
  }
  // Without a secure context (plain http to another machine) there are no locks: each visible tab has a stream.
  if (navigator.locks)
    void navigator.locks.request('kb-live', () => new Promise(() => listen(stream, publish)))
  else listenWhileVisible(stream)
}

/**
 * @param {string} stream
 * @param {(message: Message) => void} publish
 * @returns {() => void} closes it
 */
function listen(stream, publish) {
  /** @type {EventSource} */
  let source
  /** @type {number | undefined} */
  let retry
  const connect = () => {
    source = new EventSource(stream)
    source.addEventListener('open', () => publish({ kind: 'open' }))
    source.addEventListener('articles', ({ data }) =>
      publish({ kind: 'articles', urls: JSON.parse(data).urls }),
    )
    source.addEventListener('site', () => publish({ kind: 'site' }))
    source.addEventListener('error', () => {
      publish({ kind: 'lost' })
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS)
    })
  }
  connect()
  return () => {
    clearTimeout(retry)
    source.close()
  }
}

/** @param {string} stream */
function listenWhileVisible(stream) {
  /** @type {(() => void) | undefined} */
  let end
  const change = () => {
    const isHidden = document.visibilityState === 'hidden'
    if (isHidden) end?.()
    if (isHidden) end = undefined
    else end ??= listen(stream, receive)
  }
  document.addEventListener('visibilitychange', change)
  change()
}

/** @type {number | undefined} */
let lost

/** @param {Message} message */
function receive(message) {
  if (message.kind === 'lost') {
    lost ??= setTimeout(
      () => notify('This page no longer updates: kb watch has stopped.', true),
      LOST_AFTER_MS,
    )
    return
  }
  if (lost !== undefined) notify('')
  clearTimeout(lost)
  lost = undefined
  const own = document.querySelector('main')?.getAttribute('data-kb-url') ?? ''
  if (message.kind !== 'articles' || message.urls.includes(own)) void refresh()
}

async function refresh() {
  again = true
  // A hidden tab refreshes when it becomes visible.
  if (running || document.visibilityState === 'hidden') return
  running = true
  try {
    while (again) {
      again = false
      await takeOver()
    }
  } catch {
    // The stream reports when the server is back.
  } finally {
    running = false
  }
}

/** @type {string | undefined} */
let lastText

async function takeOver() {
  const asked = location.href
  const response = await fetch(asked, { headers: { Accept: 'text/html' }, cache: 'no-cache' })
  const text = await response.text()
  // The reader has moved to another page.
  if (text === lastText || location.href !== asked) return
  const page = new DOMParser().parseFromString(text, 'text/html')
  if (page.querySelector('main') === null) return
  if (scriptsOf(page) !== scriptsOf(document) || brandOf(page) !== brandOf(document)) return location.reload()
  lastText = text
  if (response.redirected) history.replaceState(history.state, '', response.url + location.hash)
  showPage(page)
}

/**
 * Returns the scripts, which differ between versions of the program.
 *
 * @param {Document} page
 */
function scriptsOf(page) {
  return [...page.querySelectorAll('head script[src]')].map((script) => script.getAttribute('src')).join()
}

/**
 * Returns the version of everything around the content, which may change with the configuration.
 *
 * @param {Document} page
 */
function brandOf(page) {
  return page.querySelector('meta[name="kb-events"]')?.getAttribute('data-kb-brand')
}

/** @param {Document} page */
function showPage(page) {
  const before = problemsIn(document)
  const focused = document.activeElement
  document.title = page.title
  copyAttribute('lang', document.documentElement, page.documentElement)
  copyAttribute('dir', document.documentElement, page.documentElement)
  for (const region of REGIONS) {
    const [here, there] = [document.querySelector(region), page.querySelector(region)]
    if (here && there) patchChildren(here, there)
  }
  if (focused !== null && !focused.isConnected) restoreFocus(focused)
  const after = problemsIn(document)
  if (after !== before) notify(after === '' ? 'No problems left in this article.' : `This article: ${after}.`)
  dispatchEvent(new Event('kb:patched'))
}

/**
 * @param {string} name
 * @param {Element} to
 * @param {Element} from
 */
function copyAttribute(name, to, from) {
  to.setAttribute(name, from.getAttribute(name) ?? '')
}

/** @param {Document} page */
function problemsIn(page) {
  return page.querySelector('[data-kb-problems]')?.getAttribute('data-kb-problems') ?? ''
}

/** @param {Element} lost */
function restoreFocus({ id }) {
  const successor = document.getElementById(id) ?? document.querySelector('main')
  successor?.focus({ preventScroll: true })
}

/** @type {number | undefined} */
let fading

/**
 * @param {string} text '' clears the message
 * @param {boolean} stays
 */
function notify(text, stays = false) {
  clearTimeout(fading)
  notice.textContent = text
  if (text !== '' && !stays) fading = setTimeout(() => (notice.textContent = ''), 6000)
}

/** @param {SubmitEvent} event */
async function openInEditor(event) {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('form[data-kb-open]')) return
  event.preventDefault()
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.set(name, value)
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      body,
      headers: { Accept: 'application/json' },
    })
    notify(response.ok ? 'Opened in your editor.' : (await response.json()).message, !response.ok)
  } catch {
    notify('The file could not be opened: kb watch does not respond.', true)
  }
}
