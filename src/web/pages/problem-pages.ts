import { html } from 'hono/html'
import type { PageBody } from './page-body.ts'
import type { PageUrls } from './page-urls.ts'
import type { Messages } from './messages.ts'

interface Way {
  readonly words: Messages
  readonly urls: PageUrls
  readonly language: string
}

export function missingPage(way: Way): PageBody {
  return problemPage(404, way.words.missing, way.words.missingHint, way)
}

export function forbiddenPage(way: Way): PageBody {
  return problemPage(403, way.words.forbidden, way.words.forbiddenHint, way)
}

export function failedPage(way: Way): PageBody {
  return problemPage(500, way.words.failed, way.words.failedHint, way)
}

/** A page that explains a problem and links to the way out. */
function problemPage(status: number, title: string, hint: string, { words, urls, language }: Way): PageBody {
  return {
    status,
    title,
    // All of it is our own words, in any requested language.
    language: words.language,
    main: html`<div class="kb-problem">
      <p class="kb-status" aria-hidden="true">${status}</p>
      <h1>${title}</h1>
      <p>${hint}</p>
      <p>
        <a class="kb-button" href="${urls.home(language)}">${words.home}</a>
        <a class="kb-button" href="${urls.search(language)}">${words.allArticles}</a>
      </p>
    </div>`,
  }
}
