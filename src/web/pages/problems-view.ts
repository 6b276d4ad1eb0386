// The problems of files, shown to their authors on the pages. Always in English.
import { html } from 'hono/html'
import { type Diagnostic, isError, countErrors } from '../../core/model/diagnostic.ts'
import type { LivePages } from './live-pages.ts'
import { openFile } from './open-file.ts'
import type { Html } from '../html.ts'
import type { WrittenArticle } from './page-source.ts'

const SHOWS: Readonly<Record<WrittenArticle['shows'], string>> = {
  current: 'It is not sent until its errors are fixed.',
  'last-good': 'You see its last version without errors; it is not sent until they are fixed.',
  nothing: 'It cannot be shown yet: it has had errors since the watch started.',
}

const WAITS = 'It is not sent, because something that it depends on has an error.'

/** Renders the file of an article, with its problems. If there are any, they overlay the page, and can be collapsed. */
export function problemsView(article: WrittenArticle, live: LivePages): Html {
  const { file, diagnostics, isHeldBack, shows } = article
  const written = html`<div class="kb-written" lang="en">
    ${openFile(live, { file, line: 1, column: 1 })}
  </div>`
  if (diagnostics.length === 0 && !isHeldBack) return written
  const summary = diagnostics.length === 0 ? 'Held back' : countProblems(diagnostics)
  const hasErrors = diagnostics.some(isError)
  const why = hasErrors ? SHOWS[shows] : WAITS
  const isUrgent = hasErrors || isHeldBack
  // Warnings alone do not overlay the text. An error opens a collapsed list, since the element then has another id.
  const id = isUrgent ? '_kb-problems' : '_kb-warnings'
  return html`${written}
    <section
      class="kb-problems${isHeldBack ? ' kb-problems-bad' : ''}"
      aria-label="Problems of this article"
      data-kb-problems="${summary}"
      lang="en"
      dir="ltr"
    >
      <details id="${id}" ${isUrgent ? 'open' : ''}>
        <summary>${summary}</summary>
        <div class="kb-problems-body">
          ${isHeldBack ? html`<p class="kb-problems-shown">${why}</p>` : ''}
          ${problemItems(diagnostics, live)}
        </div>
      </details>
    </section>`
}

/** Renders the number of problems in all files, with a link to the status, for the header. */
export function problemsLine(live: LivePages, statusUrl: string): Html {
  const problems = live.problems()
  if (problems.length === 0) return html`<a href="${statusUrl}" lang="en" dir="ltr">Status</a>`
  const kind = problems.some(isError) ? 'kb-diagnostic-error' : 'kb-diagnostic-warning'
  return html`<a class="kb-problems-line ${kind}" href="${statusUrl}#_kb-all-problems" lang="en" dir="ltr"
    >${countProblems(problems)}</a
  >`
}

/** Maximum number of problems on one page. */
const LISTED = 200

/** Renders all problems of all files, errors first; nothing if there are none. */
export function problemsList(live: LivePages): Html | '' {
  const problems = live.problems()
  if (problems.length === 0) return ''
  const sorted = [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))]
  const left = sorted.length - LISTED
  return html`<section
    class="kb-all-problems"
    id="_kb-all-problems"
    aria-labelledby="_kb-all-problems-title"
    lang="en"
    dir="ltr"
  >
    <h2 id="_kb-all-problems-title">Problems in the files: ${countProblems(problems)}</h2>
    ${problemItems(sorted.slice(0, LISTED), live)}
    ${left > 0 ? html`<p>And ${left} more: kb check lists all of them.</p>` : ''}
  </section>`
}

function problemItems(problems: readonly Diagnostic[], live: LivePages): Html {
  return html`<ul class="kb-diagnostic-list">
    ${problems.map((problem) => problemItem(problem, live))}
  </ul>`
}

function problemItem(problem: Diagnostic, live: LivePages): Html {
  const { severity, code, message, hint } = problem
  return html`<li class="kb-diagnostic kb-diagnostic-${severity}">
    <p class="kb-diagnostic-message">
      <strong>${severity === 'error' ? 'Error' : 'Warning'}:</strong> ${message}
    </p>
    ${hint === undefined ? '' : html`<p class="kb-diagnostic-hint">${hint}</p>`}
    <div class="kb-diagnostic-place">${openFile(live, problem)} <code>${code}</code></div>
  </li>`
}

/** Formats counts as in `2 errors, 1 warning`. */
function countProblems(problems: readonly Diagnostic[]): string {
  const errors = countErrors(problems)
  const warnings = problems.length - errors
  return [countOf(errors, 'error'), countOf(warnings, 'warning')].filter((part) => part !== '').join(', ')
}

function countOf(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}
