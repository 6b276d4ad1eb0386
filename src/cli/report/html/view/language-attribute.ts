import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'

/** `lang="…"` where a target names a language that exists, so that screen readers speak it; nothing else. */
export function languageAttribute(language: string): Html | '' {
  return isKnown(language) ? html`lang="${language}"` : ''
}

function isKnown(language: string): boolean {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
    return names.of(language) !== undefined
  } catch {
    return false
  }
}
