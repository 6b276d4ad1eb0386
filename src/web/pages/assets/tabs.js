// @ts-check

/** Shows consecutive tab sections one at a time. Without this script, they stay one below the other. */
export function startTabs() {
  groupAll()
  addEventListener('kb:patched', groupAll)
  // The browser found text in a hidden section, or navigated to a heading there.
  addEventListener('beforematch', ({ target }) => {
    const panel = target instanceof Element ? target.closest('.markdown-tab') : null
    if (panel) select(buttonOf(panel))
  })
}

let made = 0

/** The chosen label of a group, by all its labels, so that it stays chosen when the page is updated. */
const chosen = new Map()

function groupAll() {
  for (const list of document.querySelectorAll('.kb-tabs')) list.remove()
  for (const panel of document.querySelectorAll('.kb-content .markdown-tab')) {
    if (panel.previousElementSibling?.matches('.markdown-tab')) continue
    const panels = groupOf(panel)
    if (panels.length > 1) show(panels)
  }
}

/**
 * Returns consecutive sections. A label that is used again starts another group.
 *
 * @param {Element} first
 */
function groupOf(first) {
  const panels = []
  const labels = new Set()
  for (
    let panel = /** @type {Element | null} */ (first);
    panel?.matches('.markdown-tab');
    panel = panel.nextElementSibling
  ) {
    const label = labelOf(panel)
    if (label === '' || labels.has(label)) break
    labels.add(label)
    panels.push(panel)
  }
  return panels
}

/** @param {Element} panel */
function labelOf(panel) {
  return panel.querySelector(':scope > .markdown-tab-title')?.textContent?.trim() ?? ''
}

/** @param {readonly Element[]} panels */
function show(panels) {
  const list = document.createElement('div')
  list.className = 'kb-tabs'
  list.setAttribute('role', 'tablist')
  for (const panel of panels) {
    const name = `_kb-tab-${++made}`
    const button = document.createElement('button')
    button.type = 'button'
    button.id = `${name}-button`
    button.textContent = labelOf(panel)
    button.setAttribute('role', 'tab')
    button.setAttribute('aria-controls', name)
    panel.id = name
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', button.id)
    list.append(button)
  }
  list.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) select(target)
  })
  list.addEventListener('keydown', move)
  panels[0]?.before(list)
  const buttons = [...list.querySelectorAll('button')]
  select(buttons.find(({ textContent }) => textContent === chosen.get(keyOf(list))) ?? buttons[0] ?? null)
}

/** @param {Element} panel */
function buttonOf(panel) {
  const button = document.getElementById(panel.getAttribute('aria-labelledby') ?? '')
  return button instanceof HTMLButtonElement ? button : null
}

/** @param {Element} list */
function keyOf(list) {
  return Array.from(list.children, ({ textContent }) => textContent).join('\n')
}

/** @param {HTMLButtonElement | null} button */
function select(button) {
  const list = button?.parentElement
  if (!button || !list) return
  chosen.set(keyOf(list), button.textContent)
  for (const each of list.querySelectorAll('button')) {
    const isChosen = each === button
    each.setAttribute('aria-selected', String(isChosen))
    each.tabIndex = isChosen ? 0 : -1
    const panel = document.getElementById(each.getAttribute('aria-controls') ?? '')
    if (isChosen) panel?.removeAttribute('hidden')
    else panel?.setAttribute('hidden', 'until-found')
  }
}

/** @param {KeyboardEvent} event */
function move(event) {
  const { target, key } = event
  if (!(target instanceof HTMLButtonElement)) return
  const buttons = [...(target.parentElement?.querySelectorAll('button') ?? [])]
  const isReversed = getComputedStyle(target).direction === 'rtl'
  const at = buttons.indexOf(target)
  const next = (/** @type {number} */ by) => (at + by + buttons.length) % buttons.length
  const to = {
    ArrowRight: next(isReversed ? -1 : 1),
    ArrowLeft: next(isReversed ? 1 : -1),
    Home: 0,
    End: buttons.length - 1,
  }[key]
  const button = to === undefined ? undefined : buttons[to]
  if (button === undefined) return
  event.preventDefault()
  select(button)
  button.focus()
}
