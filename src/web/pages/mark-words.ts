import { html } from 'hono/html'
import type { Html } from '../html.ts'

/** `text` with the places marked where one of the words of `searched` stands, or begins. */
export function markWords(text: string, searched: string): Html {
  const words = searched.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  if (words.length === 0) return html`${text}`
  const expression = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu')
  // Whatever is caught by the parentheses comes at odd places.
  const parts = text
    .split(expression)
    .map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))
  return html`${parts}`
}
