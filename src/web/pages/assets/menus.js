// @ts-check

/** Closes menus on Escape and on a click elsewhere. */
export function startMenus() {
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of openMenus()) {
      const hadFocus = menu.contains(document.activeElement)
      menu.open = false
      if (hadFocus) menu.querySelector('summary')?.focus()
    }
  })
  addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (target instanceof Node && !menu.contains(target)) menu.open = false
  })
}

/** @returns {NodeListOf<HTMLDetailsElement>} */
function openMenus() {
  return document.querySelectorAll('details[data-kb-menu][open]')
}
