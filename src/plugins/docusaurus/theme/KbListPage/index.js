import Link from '@docusaurus/Link'
import { PageMetadata } from '@docusaurus/theme-common'
import { translate } from '@docusaurus/Translate'
import Heading from '@theme/Heading'
import KbBreadcrumbs from '@theme/KbBreadcrumbs'
import { createElement } from 'react'

function Entry({ title, permalink, description, isDraft = false }) {
  const draft = translate({
    id: 'theme.kb.draft',
    message: 'Draft',
    description: 'The badge of an article that is not published',
  })
  return createElement(
    'section',
    { className: 'margin-vert--lg' },
    createElement(
      Heading,
      { as: 'h2' },
      createElement(Link, { to: permalink }, title),
      isDraft && createElement('span', { className: 'badge badge--warning margin-left--sm' }, draft),
    ),
    description !== '' && createElement('p', null, description),
  )
}

/** Shows a category or tag with its articles, or all categories. */
export default function KbListPage({ page: { title, description, breadcrumbs, categories, articles } }) {
  const home = translate({
    id: 'theme.kb.title',
    message: 'Help',
    description: 'The title of the page that lists the categories of all articles',
  })
  const heading = title ?? home
  return createElement(
    'div',
    null,
    createElement(PageMetadata, {
      title: heading,
      description: description === '' ? undefined : description,
    }),
    createElement(KbBreadcrumbs, { above: breadcrumbs, title: heading }),
    createElement(Heading, { as: 'h1' }, heading),
    description !== '' && createElement('p', null, description),
    [...categories, ...articles].map((entry) => createElement(Entry, { key: entry.permalink, ...entry })),
  )
}
