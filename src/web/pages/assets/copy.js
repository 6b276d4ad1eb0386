// @ts-check

/** Time until a button can be used again. */
const SHOWN_MS = 2000

/** Makes the buttons beside code copy it. */
export function startCopying() {
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.kb-copy') : null
    const code = button?.parentElement?.querySelector('pre')
    if (button && code) void copy(code, button)
  })
}

/**
 * @param {HTMLElement} code
 * @param {Element} button
 */
async function copy(code, button) {
  const text = (code.textContent ?? '').replace(/\n$/, '')
  const before = button.textContent
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Not allowed, or not over HTTPS, so the code is selected for the reader to copy.
    getSelection()?.selectAllChildren(code)
    return
  }
  if (button.getAttribute('data-kb-copied') === before) return
  button.textContent = button.getAttribute('data-kb-copied')
  setTimeout(() => (button.textContent = before), SHOWN_MS)
}
