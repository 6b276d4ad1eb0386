import { translate } from '@docusaurus/Translate'
import DocSidebarItems from '@theme/DocSidebarItems'
import { createElement } from 'react'

/** Shows the categories with their articles. The ancestors of the current page are open. */
export default function KbSidebar({ items, path, onItemClick }) {
  const label = translate({
    id: 'theme.docs.sidebar.navAriaLabel',
    message: 'Docs sidebar',
    description: 'The ARIA label for the sidebar navigation',
  })
  return createElement(
    'nav',
    { className: 'menu thin-scrollbar', 'aria-label': label },
    createElement(
      'ul',
      { className: 'menu__list' },
      createElement(DocSidebarItems, { items, activePath: path, level: 1, onItemClick }),
    ),
  )
}
