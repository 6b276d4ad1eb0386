// @ts-check

/** Plays a video in place of the link to it. Nothing is loaded from its host before that. */
export function startVideos() {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-kb-player]') : null
    // With a modifier key, the reader wants another tab.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    const player = document.createElement('iframe')
    player.src = link.getAttribute('data-kb-player') ?? ''
    player.title = link.textContent ?? ''
    player.allow = 'autoplay; fullscreen; picture-in-picture'
    // Players refuse to run without a referrer.
    player.referrerPolicy = 'strict-origin-when-cross-origin'
    link.replaceWith(player)
    player.focus()
  })
}
