// @ts-check
// Makes a piece of a page like another one by changing as little as possible.

/**
 * Gives `here` the children of `there`; those that are equal stay the nodes that they are. `there` is used up.
 *
 * @param {Node} here
 * @param {Node} there
 */
export function patchChildren(here, there) {
  const old = [...here.childNodes]
  const wanted = [...there.childNodes]
  const start = countEqual(old, wanted)
  const [left, leftWanted] = [old.slice(start), wanted.slice(start)]
  const end = countEqual(left.toReversed(), leftWanted.toReversed())
  const next = left[left.length - end] ?? null
  patchBetween(here, left.slice(0, left.length - end), leftWanted.slice(0, leftWanted.length - end), next)
}

/**
 * @param {readonly Node[]} old
 * @param {readonly Node[]} wanted
 */
function countEqual(old, wanted) {
  const differs = old.findIndex((node, index) => !node.isEqualNode(wanted[index] ?? null))
  return differs === -1 ? old.length : differs
}

/**
 * @param {Node} parent
 * @param {readonly ChildNode[]} old
 * @param {readonly Node[]} wanted
 * @param {Node | null} next what stands behind them
 */
function patchBetween(parent, old, wanted, next) {
  let at = 0
  for (const [index, node] of wanted.entries()) {
    const same = old.findIndex((each, place) => place >= at && each.isEqualNode(node))
    const here = old[at]
    if (same !== -1) {
      for (const gone of old.slice(at, same)) gone.remove()
      at = same + 1
    } else if (here !== undefined && isLike(here, node) && !isWanted(here, wanted.slice(index + 1))) {
      patchNode(here, node)
      at++
    } else {
      parent.insertBefore(node, here ?? next)
    }
  }
  for (const gone of old.slice(at)) gone.remove()
}

/**
 * @param {Node} old
 * @param {Node} node
 */
function isLike(old, node) {
  const isSame = !(old instanceof Element) || !(node instanceof Element) || old.id === node.id
  return old.nodeName === node.nodeName && isSame
}

/**
 * @param {Node} old
 * @param {readonly Node[]} wanted
 */
function isWanted(old, wanted) {
  return wanted.some((node) => old.isEqualNode(node))
}

/**
 * @param {Node} old
 * @param {Node} node
 */
function patchNode(old, node) {
  if (old instanceof Element && node instanceof Element) {
    patchAttributes(old, node)
    patchChildren(old, node)
  } else {
    old.nodeValue = node.nodeValue
  }
}

/**
 * @param {Element} old
 * @param {Element} node
 */
function patchAttributes(old, node) {
  /** @param {string} name whether it is unfolded is the reader's choice */
  const isReaders = (name) => old.nodeName === 'DETAILS' && name === 'open'
  for (const name of old.getAttributeNames()) {
    if (!node.hasAttribute(name) && !isReaders(name)) old.removeAttribute(name)
  }
  for (const { name, value } of node.attributes) {
    if (old.getAttribute(name) !== value && !isReaders(name)) old.setAttribute(name, value)
  }
}
