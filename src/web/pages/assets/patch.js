// @ts-check
// Updates a part of a page to match another with few changes.

/**
 * Replaces the children of `here` with those of `there`; equal nodes are kept. Consumes `there`.
 *
 * @param {Node} here
 * @param {Node} there
 */
export function patchChildren(here, there) {
  const old = [...here.childNodes]
  const updated = [...there.childNodes]
  const start = countEqual(old, updated)
  const [left, leftUpdated] = [old.slice(start), updated.slice(start)]
  const end = countEqual(left.toReversed(), leftUpdated.toReversed())
  const next = left[left.length - end] ?? null
  patchBetween(here, left.slice(0, left.length - end), leftUpdated.slice(0, leftUpdated.length - end), next)
}

/**
 * @param {readonly Node[]} old
 * @param {readonly Node[]} updated
 */
function countEqual(old, updated) {
  const differs = old.findIndex((node, index) => !node.isEqualNode(updated[index] ?? null))
  return differs === -1 ? old.length : differs
}

/**
 * @param {Node} parent
 * @param {readonly ChildNode[]} old
 * @param {readonly Node[]} updated
 * @param {Node | null} next the node after them
 */
function patchBetween(parent, old, updated, next) {
  let [at, from] = [0, 0]
  const pairs = pairEqual(old, updated)
  pairs.push([old.length, updated.length])
  for (const [here, there] of pairs) {
    patchPiece(parent, old.slice(at, here), updated.slice(from, there), old[here] ?? next)
    at = here + 1
    from = there + 1
  }
}

/**
 * Pairs of equal nodes that can keep their order (a longest common subsequence), by index.
 *
 * @param {readonly Node[]} old
 * @param {readonly Node[]} updated
 * @returns {[number, number][]}
 */
function pairEqual(old, updated) {
  const [keys, updatedKeys] = [old.map(keyOf), updated.map(keyOf)]
  const isPair = (/** @type {number} */ i, /** @type {number} */ j) =>
    keys[i] !== undefined && keys[i] === updatedKeys[j]
  const width = updated.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const lengthAt = (/** @type {number} */ i, /** @type {number} */ j) => lengths[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = updated.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isPair(i, j)
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  /** @type {[number, number][]} */
  const pairs = []
  for (let [i, j] = [0, 0]; i < old.length && j < updated.length;) {
    if (isPair(i, j)) pairs.push([i++, j++])
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++
    else j++
  }
  return pairs
}

/**
 * Key of equal nodes. White space between blocks has none: it is the same everywhere and would match distant nodes.
 *
 * @param {Node} node
 */
function keyOf(node) {
  if (node instanceof Element) return node.outerHTML
  const text = node.nodeValue ?? ''
  return text.trim() === '' ? undefined : `#${text}`
}

/**
 * @param {Node} parent
 * @param {readonly ChildNode[]} old
 * @param {readonly Node[]} updated
 * @param {Node | null} next the node after them
 */
function patchPiece(parent, old, updated, next) {
  let at = 0
  for (const node of updated) {
    const here = old[at]
    if (here !== undefined && isLike(here, node)) {
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
  /** @param {string} name of the attribute; the reader decides whether details are open */
  const isReaders = (name) => old.nodeName === 'DETAILS' && name === 'open'
  for (const name of old.getAttributeNames()) {
    if (!node.hasAttribute(name) && !isReaders(name)) old.removeAttribute(name)
  }
  for (const { name, value } of node.attributes) {
    if (old.getAttribute(name) !== value && !isReaders(name)) old.setAttribute(name, value)
  }
}
