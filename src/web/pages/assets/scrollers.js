// @ts-check

/** Makes regions tab stops only while they scroll. */
export function startScrollers() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target)
  })
  const watch = () => {
    for (const each of document.querySelectorAll('.kb-content pre, .kb-scroll')) observer.observe(each)
  }
  watch()
  addEventListener('kb:patched', watch)
}

/** @param {Element} element */
function update(element) {
  if (element.scrollWidth > element.clientWidth) element.setAttribute('tabindex', '0')
  else if (element !== document.activeElement) element.removeAttribute('tabindex')
}
