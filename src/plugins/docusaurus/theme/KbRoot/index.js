// The shared layout of the articles' pages, with the sidebar. The page itself is a child route.
import { HtmlClassNameProvider, NavbarSecondaryMenuFiller } from '@docusaurus/theme-common'
import renderRoutes from '@docusaurus/renderRoutes'
import KbSidebar from '@theme/KbSidebar'
import Layout from '@theme/Layout'
import { createElement } from 'react'
import styles from './styles.module.css'

/** Shows the sidebar as part of the site's menu on small screens. */
function MobileMenu({ items, path, toggleSidebar }) {
  return createElement(KbSidebar, { items, path, onItemClick: toggleSidebar })
}

export default function KbRoot({ sidebar: { items }, route, location: { pathname: path } }) {
  return createElement(
    HtmlClassNameProvider,
    { className: 'kb-pages' },
    createElement(
      Layout,
      null,
      items.length > 0 &&
        createElement(NavbarSecondaryMenuFiller, { component: MobileMenu, props: { items, path } }),
      createElement(
        'div',
        { className: styles.columns },
        items.length > 0 &&
          createElement('aside', { className: styles.aside }, createElement(KbSidebar, { items, path })),
        createElement('main', { className: styles.main }, renderRoutes(route.routes)),
      ),
    ),
  )
}
