import { html } from 'hono/html'
import type { Html } from '../html.ts'
import { textDirection } from './text-direction.ts'
import { type Messages, primaryLanguage } from '../../core/page-messages.ts'

/**
 * Marks the pages' own texts as English if the page is in a language without messages, for screen readers and the
 * browser's typography.
 */
export function inMessageLanguage<Text extends Html | string>(
  { words, language }: { readonly words: Messages; readonly language: string },
  text: Text,
): Text | Html {
  if (primaryLanguage(language) === primaryLanguage(words.language)) return text
  return html`<bdi lang="${words.language}" dir="${textDirection(words.language)}">${text}</bdi>`
}
