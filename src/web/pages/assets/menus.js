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

/** Elements that the style sheet shows unfolded in a wide window, with the width that they need. */
const FOLDS = { '.kb-nav > .kb-fold': '(width >= 56rem)', '.kb-toc > .kb-fold': '(width >= 78rem)' }

/** Opens them for programs that read the element and not the style sheet. */
export function startFolds() {
  for (const [selector, query] of Object.entries(FOLDS)) {
    const wide = matchMedia(query)
    const fit = () => {
      for (const fold of document.querySelectorAll(selector)) fold.toggleAttribute('open', wide.matches)
    }
    if (wide.matches) fit()
    wide.addEventListener('change', fit)
    addEventListener('kb:patched', () => wide.matches && fit())
  }
}
