// @ts-check
import { patchChildren } from './patch.js'

/** Delay that prevents a request for every letter. */
const PAUSE_MS = 120

/** Searches while typing: below the search box, or in the search page itself. */
export function startSearch() {
  const form = document.querySelector('form[data-kb-search]')
  if (!(form instanceof HTMLFormElement)) return
  const input = form.querySelector('input[type=search]')
  const found = form.querySelector('[data-kb-found]')
  if (!(input instanceof HTMLInputElement) || !(found instanceof HTMLElement)) return
  const box = { form, input, found, count: form.querySelector('[data-kb-count]') }
  followTyping(box)
  followKeys(box)
}

/** @typedef {{ form: HTMLFormElement, input: HTMLInputElement, found: HTMLElement, count: Element | null }} SearchBox */

/** @param {SearchBox} box */
function followTyping(box) {
  const { form, input, found } = box
  let running = new AbortController()
  let timer = 0
  const ask = async () => {
    running.abort()
    running = new AbortController()
    const { signal } = running
    const isInPage = document.querySelector('[data-kb-results]') !== null
    if (input.value.trim() === '' && !isInPage) return close(box)
    try {
      const url = addressOf(form)
      if (!isInPage) url.searchParams.set('part', 'results')
      const page = await fetchPage(url, signal)
      if (signal.aborted) return
      if (isInPage) showPage(box, page, url)
      else show(box, page)
    } catch {
      // The next letter sends another request, and Enter always opens the search page.
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, PAUSE_MS)
  })
  input.addEventListener('focus', () => {
    if (found.childElementCount > 0 && input.value.trim() !== '') found.hidden = false
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) found.hidden = true
  })
}

/**
 * URL of the form with its current values.
 *
 * @param {HTMLFormElement} form
 */
function addressOf(form) {
  const url = new URL(form.action)
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') url.searchParams.set(name, value)
  return url
}

/**
 * @param {URL} url
 * @param {AbortSignal} signal
 */
async function fetchPage(url, signal) {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(response.statusText)
  // Created and escaped by the server.
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/**
 * @param {SearchBox} box
 * @param {Document} results
 */
function show({ found, count }, results) {
  say(count, results)
  found.replaceChildren(...results.body.childNodes)
  found.hidden = false
}

/**
 * Updates the search page for the new query, including title and URL.
 *
 * @param {SearchBox} box
 * @param {Document} page
 * @param {URL} url
 */
function showPage({ count }, page, url) {
  say(count, page)
  document.title = page.title
  history.replaceState(history.state, '', url)
  for (const region of ['.kb-tools', 'main']) {
    const [here, there] = [document.querySelector(region), page.querySelector(region)]
    if (here && there) patchChildren(here, there)
  }
}

/**
 * @param {Element | null} count
 * @param {Document} results
 */
function say(count, results) {
  if (count !== null) count.textContent = results.querySelector('[data-kb-said]')?.textContent ?? ''
}

/** @param {SearchBox} box */
function close({ found, count }) {
  found.replaceChildren()
  found.hidden = true
  if (count !== null) count.textContent = ''
}

/** @param {SearchBox} box */
function followKeys(box) {
  const { form, input, found } = box
  addEventListener('keydown', (event) => {
    if (event.key === '/' && !isTyping(event)) {
      event.preventDefault()
      input.focus()
      input.select()
    }
  })
  const stops = () => [
    input,
    .../** @type {NodeListOf<HTMLAnchorElement>} */ (
      resultsOf(found).querySelectorAll('li > a, .kb-pages > a, .kb-more > a')
    ),
  ]
  const walk = (/** @type {KeyboardEvent} */ event) => {
    const { activeElement } = document
    if (event.key === 'Escape' && !found.hidden) {
      event.preventDefault()
      input.focus()
      found.hidden = true
      return
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const all = stops()
    const at = all.findIndex((stop) => stop === activeElement)
    if (step === 0 || at === -1 || all.length === 1) return
    event.preventDefault()
    all[(at + step + all.length) % all.length]?.focus()
  }
  form.addEventListener('keydown', walk)
  document.querySelector('[data-kb-results]')?.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent) walk(event)
  })
}

/** @param {HTMLElement} found */
function resultsOf(found) {
  return document.querySelector('[data-kb-results]') ?? found
}

/** @param {KeyboardEvent} event */
function isTyping({ target, ctrlKey, metaKey, altKey }) {
  const isField =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  return isField || ctrlKey || metaKey || altKey
}
