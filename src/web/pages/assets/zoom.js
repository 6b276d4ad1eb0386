// @ts-check

/** Opens pictures that the text column reduces in their original size. */
export function startZoom() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) if (target instanceof HTMLImageElement) update(target)
  })
  const watch = () => {
    for (const image of document.querySelectorAll('.kb-content img'))
      if (!image.closest('a')) observer.observe(image)
  }
  watch()
  addEventListener('kb:patched', watch)
  // A picture with width and height keeps its size when it has loaded, so that no observer is called.
  document.addEventListener(
    'load',
    ({ target }) => {
      if (target instanceof HTMLImageElement && target.matches('.kb-content img:not(a img)')) update(target)
    },
    true,
  )
  addEventListener('click', ({ target }) => {
    if (target instanceof HTMLImageElement && target.matches('.kb-zoom')) open(target)
  })
  addEventListener('keydown', (event) => {
    const { target, key } = event
    if (!(target instanceof HTMLImageElement) || !target.matches('.kb-zoom') || !/^(Enter| )$/.test(key))
      return
    event.preventDefault()
    open(target)
  })
}

/** @param {HTMLImageElement} image */
function update(image) {
  const isReduced = image.naturalWidth > image.clientWidth + 1 && image.clientWidth > 0
  image.classList.toggle('kb-zoom', isReduced)
  // Without a name, the button would have no label.
  if (isReduced && image.alt !== '') {
    image.setAttribute('role', 'button')
    image.tabIndex = 0
  } else {
    image.removeAttribute('role')
    image.removeAttribute('tabindex')
  }
}

/** @param {HTMLImageElement} image */
function open(image) {
  const dialog = document.createElement('dialog')
  dialog.className = 'kb-zoomed'
  dialog.setAttribute('aria-label', image.alt)
  const large = document.createElement('img')
  large.src = image.currentSrc || image.src
  large.alt = image.alt
  const close = document.createElement('button')
  close.textContent = image.closest('.kb-content')?.getAttribute('data-kb-close') ?? ''
  dialog.append(close, large)
  // Closes on the button and on a click anywhere else. Escape works by default.
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
