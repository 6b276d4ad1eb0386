import Head from '@docusaurus/Head'
import { PageMetadata } from '@docusaurus/theme-common'
import { translate } from '@docusaurus/Translate'
import DocPaginator from '@theme/DocPaginator'
import Heading from '@theme/Heading'
import KbBreadcrumbs from '@theme/KbBreadcrumbs'
import KbContent from '@theme/KbContent'
import TagsListInline from '@theme/TagsListInline'
import TOC from '@theme/TOC'
import TOCCollapsible from '@theme/TOCCollapsible'
import { createElement } from 'react'
import styles from './styles.module.css'

function DraftBadge() {
  const text = translate({
    id: 'theme.kb.draft',
    message: 'Draft',
    description: 'The badge of an article that is not published',
  })
  return createElement('p', null, createElement('span', { className: 'badge badge--warning' }, text))
}

function Metadata({ title, description, image, isHidden }) {
  const robots = createElement('meta', { name: 'robots', content: 'noindex' })
  return [
    createElement(PageMetadata, { key: 'page', title, description, image: image ?? undefined }),
    isHidden && createElement(Head, { key: 'robots' }, robots),
  ]
}

export default function KbArticlePage({ page }) {
  const { title, lang, isDraft, breadcrumbs, tags, toc, body, previous, next } = page
  return createElement(
    'div',
    { className: 'row' },
    createElement(Metadata, page),
    createElement(
      'div',
      { className: toc.length > 0 ? `col ${styles.text}` : 'col' },
      createElement(
        'article',
        { lang: lang ?? undefined },
        createElement(KbBreadcrumbs, { above: breadcrumbs, title }),
        toc.length > 0 && createElement(TOCCollapsible, { toc, className: styles.smallToc }),
        createElement(
          'div',
          { className: 'theme-doc-markdown markdown' },
          createElement('header', null, createElement(Heading, { as: 'h1' }, title)),
          isDraft && createElement(DraftBadge),
          createElement(KbContent, { body }),
        ),
      ),
      tags.length > 0 &&
        createElement(
          'footer',
          { className: 'row margin-top--lg' },
          createElement('div', { className: 'col' }, createElement(TagsListInline, { tags })),
        ),
      createElement(DocPaginator, {
        className: 'margin-top--lg',
        previous: previous ?? undefined,
        next: next ?? undefined,
      }),
    ),
    toc.length > 0 &&
      createElement('div', { className: `col col--3 ${styles.largeToc}` }, createElement(TOC, { toc })),
  )
}
