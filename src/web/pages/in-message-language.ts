import { html } from 'hono/html'
import type { Html } from '../html.ts'
import { textDirection } from './text-direction.ts'
import type { Messages } from './messages.ts'

/**
 * Words of the pages themselves, marked where they are not in the language around them, since there are no messages in
 * it: screen readers speak them, and browsers set them, as what they are.
 */
export function inMessageLanguage<Text extends Html | string>(
  { words, language }: { readonly words: Messages; readonly language: string },
  text: Text,
): Text | Html {
  const [primary] = language.toLowerCase().split('-', 1)
  if (primary === words.language) return text
  return html`<bdi lang="${words.language}" dir="${textDirection(words.language)}">${text}</bdi>`
}
