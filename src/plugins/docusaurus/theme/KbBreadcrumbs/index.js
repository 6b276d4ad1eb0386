import Link from '@docusaurus/Link'
import { translate } from '@docusaurus/Translate'
import { createElement } from 'react'

/** Shows the categories above a page, and the page itself. */
export default function KbBreadcrumbs({ above, title }) {
  if (above.length === 0) return null
  const label = translate({
    id: 'theme.docs.breadcrumbs.navAriaLabel',
    message: 'Breadcrumbs',
    description: 'The ARIA label for the breadcrumbs',
  })
  return createElement(
    'nav',
    { className: 'theme-doc-breadcrumbs margin-bottom--md', 'aria-label': label },
    createElement(
      'ul',
      { className: 'breadcrumbs' },
      above.map(({ title: name, permalink }) =>
        createElement(
          'li',
          { key: permalink, className: 'breadcrumbs__item' },
          createElement(Link, { className: 'breadcrumbs__link', to: permalink }, name),
        ),
      ),
      createElement(
        'li',
        { className: 'breadcrumbs__item breadcrumbs__item--active' },
        createElement('span', { className: 'breadcrumbs__link' }, title),
      ),
    ),
  )
}
