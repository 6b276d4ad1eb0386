import { html } from 'hono/html'
import type { PageBody } from './page-body.ts'
import type { Visit } from './visit.ts'

type Context = Pick<Visit, 'words' | 'urls' | 'language'>

export function missingPage(context: Context): PageBody {
  return problemPage(404, context.words.missing, context.words.missingHint, context)
}

export function forbiddenPage(context: Context): PageBody {
  return problemPage(403, context.words.forbidden, context.words.forbiddenHint, context)
}

export function failedPage(context: Context, status: number): PageBody {
  return problemPage(status, context.words.failed, context.words.failedHint, context)
}

/** Renders a page that explains a problem and links to other pages. */
function problemPage(status: number, title: string, hint: string, { words, urls, language }: Context) {
  return {
    status,
    title,
    // All texts are our own, in any requested language.
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
