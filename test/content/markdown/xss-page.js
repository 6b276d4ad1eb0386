// What runs inside the page, before anything else in it and in every frame.
/** Runs before anything else in every frame: whatever a payload could call is noted, and does nothing. */
function armPage() {
  const { top } = window
  if (window === top) Object.defineProperty(window, 'kbHits', { value: [], writable: false })
  const name = window.name
  const note = (what) => void top.kbHits.push(`${name} ${what}`.trim())
  const hook = (owner, names) => {
    for (const each of names)
      Object.defineProperty(owner, each, { value: () => note(`calls ${each}`), configurable: true })
  }
  hook(window, ['alert', 'confirm', 'prompt', 'print', 'open', 'fetch', 'postMessage'])
  hook(console, ['log', 'info', 'warn', 'error', 'debug'])
  hook(navigator, ['sendBeacon'])
  hook(XMLHttpRequest.prototype, ['open'])
  hook(document, ['write', 'writeln'])
  document.addEventListener('securitypolicyviolation', () => note('breaks a policy'))
  window.addEventListener('error', ({ message }) => {
    // A script that fails ran; an image that fails did not.
    if (message) note(`a script fails: ${message}`)
  })
}

/** Puts the fragments into the page, touches every element, and tells what happened or could have happened. */
async function judgeFragments({ how, fragments, allowedTags }) {
  const hits = window.kbHits
  const seen = []
  const ownNames = new Set(Object.getOwnPropertyNames(document))
  const globals = new Map(Object.getOwnPropertyNames(window).map((name) => [name, typeof window[name]]))
  const { title, URL: address } = document

  const allowed = new Set(
    [
      'a abbr b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em',
      'figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section',
      'small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
      'audio track video',
      ...allowedTags,
    ].flatMap((names) => names.split(' ')),
  )
  const judgeAddress = (element, { name, value }) => {
    const isLink = name === 'href' || name === 'cite' || name === 'longdesc'
    let scheme = ''
    try {
      scheme = new URL(value, address).protocol
    } catch {
      return
    }
    const schemes = isLink ? ['mailto:', 'tel:', 'sms:', 'xmpp:', 'irc:', 'ircs:'] : []
    const isImageData = /^data:image\/[\w+.-]+[;,]/i.test(value.trim()) && element.localName === 'img'
    if (!['http:', 'https:', ...schemes].includes(scheme) && !isImageData) seen.push(`${name} of ${scheme}`)
  }
  const ADDRESSES = new Set(
    'href src cite longdesc action formaction poster background data ping xlink:href'.split(' '),
  )
  const judgeElement = (element) => {
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml')
      seen.push(`an element of ${element.namespaceURI}`)
    if (!allowed.has(element.localName)) seen.push(`<${element.localName}>`)
    for (const attribute of element.attributes) {
      const { name, value } = attribute
      if (/^on|^style$|^srcdoc$|^http-equiv$|^formaction$|^is$|[^\w:.-]/i.test(name))
        seen.push(`the attribute ${name}`)
      if (ADDRESSES.has(name)) judgeAddress(element, attribute)
      if (name === 'srcset')
        for (const part of value.split(','))
          if (/^\s*(?!https?:|data:image)[a-z]+:/i.test(part)) seen.push(`srcset ${part}`)
    }
  }

  const EVENTS = (
    'click dblclick mouseover mouseenter mousedown mouseup mousemove pointerdown pointerover pointerenter focus focusin blur ' +
    'keydown keyup keypress input beforeinput change submit reset toggle wheel copy paste cut contextmenu dragstart drop ' +
    'auxclick scroll animationstart animationend transitionend beforetoggle touchstart'
  ).split(' ')
  const touch = (element) => {
    if (element.getAttributeNames().some((name) => name.startsWith('on')))
      for (const type of EVENTS) element.dispatchEvent(new Event(type, { cancelable: true }))
    if (element.localName === 'details') element.setAttribute('open', '')
    if (element.tabIndex >= 0) element.focus()
    if ('click' in element) element.click()
  }
  // Only what runs in the page itself may follow a click.
  const stay = (event) => {
    const link = event.target instanceof Element ? event.target.closest('a, area') : null
    if (link !== null && link.protocol !== 'javascript:') event.preventDefault()
  }
  const settle = async (root) => {
    const pending = [...root.images].filter((image) => !image.complete)
    await Promise.all(
      pending.map(
        (image) =>
          new Promise((resolve) => {
            image.addEventListener('load', resolve)
            image.addEventListener('error', resolve)
          }),
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, 0))
  }

  const place = (html) => {
    const box = document.createElement('div')
    document.body.append(box)
    // Unlike innerHTML, this runs scripts.
    if (how === 'live fragment') box.append(document.createRange().createContextualFragment(html))
    else {
      box.innerHTML = html
      for (let round = 0; round < 3; round++) {
        const written = box.innerHTML
        box.innerHTML = written
      }
      const again = new DOMParser().parseFromString(new XMLSerializer().serializeToString(box), 'text/html')
      const other = document.createElement('div')
      document.body.append(other)
      other.append(document.createRange().createContextualFragment(again.body.innerHTML))
      const cell = document.createElement('template')
      cell.innerHTML = `<div>${box.innerHTML}</div>`
      other.append(document.importNode(cell.content, true))
    }
  }

  if (how === 'frames') {
    const inner = [...document.querySelectorAll('iframe')].flatMap(
      ({ contentDocument }) => contentDocument ?? [],
    )
    await Promise.all(inner.map(settle))
    for (const each of inner) for (const element of each.querySelectorAll('*')) touch(element)
    await settle(document)
    return [...hits]
  }
  document.addEventListener('click', stay, true)
  for (const html of fragments) place(html)
  await settle(document)
  const elements = [...document.body.querySelectorAll('*')].filter((each) => !each.hasAttribute('data-v'))
  for (const element of elements) judgeElement(element)
  for (const element of elements) touch(element)
  await settle(document)
  for (const name of Object.getOwnPropertyNames(document))
    if (!ownNames.has(name)) seen.push(`document.${name} is covered`)
  for (const [name, type] of globals) if (typeof window[name] !== type) seen.push(`window.${name} is covered`)
  if (document.title !== title) seen.push('the title changed')
  if (document.URL.split('#')[0] !== address) seen.push('the address changed')
  return [...new Set([...hits, ...seen])]
}

armPage()
Object.defineProperty(window, 'kbJudge', { value: judgeFragments })
