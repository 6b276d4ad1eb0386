import { html, raw } from 'hono/html'
import type { Html } from '../../../web/pages/page-body.ts'
import { contentSecurityPolicy, type InlineAssets } from './inline-assets.ts'

export interface DocumentParts {
  readonly title: string
  readonly brand: string
  readonly navigation: Html | ''
  /** Goes into `<main>`; begins with its `<h1>`. */
  readonly main: Html
}

const MAIN_ID = 'report'

/** A whole HTML document that needs nothing but itself. */
export function reportDocument(parts: DocumentParts, assets: InlineAssets): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        ${head(parts.title, assets)}
      </head>
      <body>
        <a class="kb-skip" href="#${MAIN_ID}">Skip to the report</a>
        <header class="kb-header">
          <span class="kb-brand"><bdi>${parts.brand}</bdi></span>
        </header>
        <div class="kb-body">
          ${parts.navigation}
          <main id="${MAIN_ID}" class="kb-main" tabindex="-1">${parts.main}</main>
        </div>
      </body>
    </html> `
}

// The policy goes by digests: not a space may come between the tags and what is in them.
function head(title: string, assets: InlineAssets): Html {
  const icon = `data:image/svg+xml;base64,${Buffer.from(assets.icon).toString('base64')}`
  return html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(assets)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    ${raw(`<style>${assets.style}</style>`)} ${raw(`<script type="module">${assets.script}</script>`)}`
}
