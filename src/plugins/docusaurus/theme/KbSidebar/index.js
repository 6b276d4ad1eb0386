import Link from '@docusaurus/Link'
import { Collapsible } from '@docusaurus/theme-common'
import { translate } from '@docusaurus/Translate'
import { createElement, useEffect, useState } from 'react'

const withoutEnd = (path) => path.replace(/\/$/, '')
const isSame = (href, path) => withoutEnd(href) === withoutEnd(path)
const isBelow = ({ href, items = [] }, path) =>
  isSame(href, path) || items.some((item) => isBelow(item, path))

function Article({ label, href, path, onItemClick }) {
  const isActive = isSame(href, path)
  return createElement(
    'li',
    { className: 'menu__list-item' },
    createElement(
      Link,
      {
        className: isActive ? 'menu__link menu__link--active' : 'menu__link',
        'aria-current': isActive ? 'page' : undefined,
        to: href,
        onClick: onItemClick,
      },
      label,
    ),
  )
}

function Category({ item, path, onItemClick }) {
  const { label, href, items } = item
  const isWay = isBelow(item, path)
  const isActive = isSame(href, path)
  const [isOpen, setOpen] = useState(isWay)
  useEffect(() => {
    if (isWay) setOpen(true)
  }, [isWay, path])
  const message = isOpen
    ? translate(
        {
          id: 'theme.DocSidebarItem.collapseCategoryAriaLabel',
          message: "Collapse sidebar category '{label}'",
          description: 'The ARIA label to collapse the sidebar category',
        },
        { label },
      )
    : translate(
        {
          id: 'theme.DocSidebarItem.expandCategoryAriaLabel',
          message: "Expand sidebar category '{label}'",
          description: 'The ARIA label to expand the sidebar category',
        },
        { label },
      )
  return createElement(
    'li',
    { className: isOpen ? 'menu__list-item' : 'menu__list-item menu__list-item--collapsed' },
    createElement(
      'div',
      { className: `menu__list-item-collapsible${isActive ? ' menu__list-item-collapsible--active' : ''}` },
      createElement(
        Link,
        {
          className: `menu__link menu__link--sublist${isWay ? ' menu__link--active' : ''}`,
          'aria-current': isActive ? 'page' : undefined,
          to: href,
          onClick: onItemClick,
        },
        label,
      ),
      createElement('button', {
        type: 'button',
        className: 'clean-btn menu__caret',
        'aria-label': message,
        'aria-expanded': isOpen,
        onClick: () => setOpen(!isOpen),
      }),
    ),
    createElement(
      Collapsible,
      { lazy: true, as: 'ul', className: 'menu__list', collapsed: !isOpen },
      items.map((child) => createElement(Item, { key: child.href, item: child, path, onItemClick })),
    ),
  )
}

function Item({ item, path, onItemClick }) {
  return item.items === undefined
    ? createElement(Article, { ...item, path, onItemClick })
    : createElement(Category, { item, path, onItemClick })
}

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
      items.map((item) => createElement(Item, { key: item.href, item, path, onItemClick })),
    ),
  )
}
