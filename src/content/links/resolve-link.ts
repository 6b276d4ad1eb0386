import type { Document } from '../../core/model/document.ts'
import { didYouMeanUrl, nearest, onlyMeant } from '../../core/nearest.ts'
import { missing, shownSource } from '../assets/create-asset-reader.ts'
import { fitsUse } from '../assets/asset-types.ts'
import { encodeAnchor, noHeading } from '../markdown/anchors.ts'
import type { Slot } from '../markdown/rendered-body.ts'
import {
  fixAddress,
  withFragment,
  decodeAddress,
  splitAddress,
  fixPath,
  withPath,
} from '../source/link-address.ts'
import { findTarget, type FoundTarget, type LinkOrigin, type WrittenAddress } from './find-target.ts'
import { type AddressProblem, failed, type ResolvedAddress } from './resolved-link.ts'
import { resolveCategory, resolveTaxonomyLink } from './resolve-taxonomy-link.ts'
import type { LinkContext } from './link-context.ts'
import { posix } from 'node:path'
import { lazily } from '../../core/memoize.ts'

export type ResolveAddress = (address: WrittenAddress, origin: LinkOrigin) => ResolvedAddress | undefined

/** Resolves a relative URL to the URL to send. Returns undefined if the target is unknown. */
export function resolveAddress(
  address: WrittenAddress,
  origin: LinkOrigin,
  context: LinkContext,
): ResolvedAddress | undefined {
  return linkTo(findTarget(address, origin, context), address, origin, context)
}

/** @param lookUp `resolveAddress` in this context. In an included file, a URL is relative to that file. */
export function resolveLink(
  slot: Pick<Slot, 'kind' | 'url' | 'source'>,
  origin: LinkOrigin,
  context: LinkContext,
  lookUp: ResolveAddress,
): ResolvedAddress {
  const source = slot.source ?? origin.source
  if (slot.url.startsWith('#')) return linkWithin(source, slot, origin, context)
  if (source !== origin.source && context.site?.dialect.links.beginAtIncluder === true) {
    const target = findTarget(slot, origin, context)
    const link = target.kind === 'site' ? undefined : linkTo(target, slot, origin, context)
    if (link?.kind === 'url') return link
  }
  const from = source === origin.source ? origin : { ...origin, source }
  return lookUp(slot, from) ?? { kind: 'url', url: slot.url }
}

/** Resolves a link in an included part of a file to another part of it, which the article does not contain. */
function linkWithin(
  included: string,
  slot: Pick<Slot, 'kind' | 'url' | 'source'>,
  origin: LinkOrigin,
  context: LinkContext,
): ResolvedAddress {
  const source = included.normalize('NFC')
  if (context.rejected.has(source))
    return linkToArticle({ kind: 'article', source, isRejected: true, isFolder: false }, slot, context)
  // A snippet has the headings of the article.
  const document = context.documents.get(source) ?? context.documents.get(origin.source.normalize('NFC'))
  if (document === undefined) return { kind: 'url', url: slot.url }
  const link = linkToPart(document, slot, context)
  const { problem } = link
  if (problem === undefined) return link
  const message = noHeading(slot.url.slice(1))
  return { kind: 'url', url: slot.url, problem: { ...problem, message } }
}

/** Returns undefined if the target is unknown. */
function linkTo(
  target: FoundTarget,
  address: WrittenAddress,
  { source, language }: LinkOrigin,
  context: LinkContext,
): ResolvedAddress | undefined {
  if (/^(?:asset|missing|outside)$/.test(target.kind)) {
    const [template] = /\{\{(?:.*\}\})?/s.exec(decodeAddress(address.url)) ?? []
    // The name of a file may contain braces.
    const isThere = target.kind === 'asset' && context.findExactly(target.source).kind === 'found'
    if (template !== undefined && !isThere) return failed(unresolvedTemplate(template))
  }
  switch (target.kind) {
    case 'article':
      return linkToArticle(target, address, context)
    case 'asset':
      return linkToAsset(target, address, { source, language }, context)
    case 'file':
      return failed(context.assets.notAnArticle(target.source, address.url))
    case 'folder':
      return resolveCategory(target.folder, context.taxonomy)
    case 'taxonomy':
      return resolveTaxonomyLink(target, language, context.taxonomy)
    case 'site':
      return resolveSiteAddress(address, target.path, context, target.isMissing)
    case 'missing':
      if (target.isOnSite || (context.publishes(target.source) && fitsUse(target.source, 'link')))
        context.assets.noteMissing(target.source)
      return target.isOnSite
        ? failed({ ...missing(shownSource(target.source), 'image'), hint: IN_SITE_FOLDER })
        : missingFile(target.source, address, { source, language }, context)
    case 'outside':
      return failed({
        code: 'link-outside',
        message: `"${address.url}" leaves the content folder.`,
        hint: 'Link to a file inside it, or to an absolute URL.',
      })
    case 'hook':
      return {
        kind: 'url',
        url: address.url,
        problem: {
          code: 'site-address',
          message: `"${address.url}" does not point to a file, and its meaning in ${target.name} is unknown.`,
          hint: 'Link to the path of a file, or to an absolute URL.',
        },
      }
    case 'unknown':
      return undefined
  }
}

/** Only the tool knows the value of `{{ … }}`. */
function unresolvedTemplate(template: string): AddressProblem {
  const message = `${template} has no value here, so the URL would be incomplete.`
  return { code: 'value-unresolved', message, hint: 'Write the value itself.' }
}

const IN_SITE_FOLDER = 'Root-relative URLs start in that folder: correct the URL, or add the image.'

/** Resolves a link to another part of the site. It has a URL only if the configuration contains that of the site. */
export function resolveSiteAddress(
  address: WrittenAddress,
  path: string,
  { siteUrl, findOwnAddress }: Pick<LinkContext, 'siteUrl' | 'findOwnAddress'>,
  isMissing = false,
): ResolvedAddress {
  // An alias is not a valid URL, so it is replaced; everything else is sent unchanged.
  const sent = address.url.startsWith('@site/') ? path : address.url
  const ownPath = decodeAddress(path.replace(/[?#].*$/s, ''))
  const own = findOwnAddress(ownPath)
  if (own !== undefined)
    return own.kind === 'unlisted' && address.kind === 'link'
      ? { kind: 'url', url: sent, problem: missingUrl(ownPath, own.others) }
      : { kind: 'url', url: sent }
  if (siteUrl !== undefined) {
    const whole = { kind: 'url', url: addressIn(siteUrl, path), to: { kind: 'site' } } as const
    return isMissing ? { ...whole, problem: missingInSite(address) } : whole
  }
  const problem: AddressProblem = {
    code: 'site-address',
    message: `"${address.url}" is a URL of the site. It breaks if the knowledge base has a different host.`,
    hint: 'Set siteUrl to the URL of the site. If both have the same host, turn this rule off.',
  }
  return { kind: 'url', url: sent, problem }
}

function missingUrl(path: string, others: () => readonly string[]): AddressProblem {
  return {
    code: 'link-url-missing',
    message: `No article, category or tag here has the URL "${path}".`,
    hint: () =>
      didYouMeanUrl(path, others()) ??
      'Link to a file instead, as kb-sync knows its URL. If only the target has the article, ignore this.',
  }
}

function missingInSite(address: WrittenAddress): AddressProblem {
  return {
    code: 'site-address',
    message: `No folder of the site contains "${address.url}"; it is sent as a URL below siteUrl.`,
    hint: 'Correct the URL, or add the file. If something else serves that URL, turn this rule off.',
  }
}

/** If a site is in a folder of its host, some tools expect paths with that folder and some without it. */
function addressIn(siteUrl: string, path: string): string {
  const base = new URL(siteUrl).pathname.replace(/\/$/, '')
  const isWhole = path === base || path.startsWith(`${base}/`)
  return `${siteUrl.slice(0, isWhole ? siteUrl.length - base.length : undefined)}${path}`
}

function linkToAsset(
  { source, suffix, onSite }: Extract<FoundTarget, { readonly kind: 'asset' }>,
  address: WrittenAddress,
  origin: LinkOrigin,
  context: LinkContext,
): ResolvedAddress {
  const asset = context.assets.read(source, address.kind)
  if (asset.kind === 'read') {
    const {
      url,
      warning,
      used: { stored },
    } = asset
    // An embedded file is recognised by its whole URL when it is read from the target.
    const whole = url.startsWith('data:') ? url : `${url}${suffix}`
    return {
      kind: 'url',
      url: whole,
      to: { kind: 'asset', source: asset.source, ...(stored && { stored }) },
      ...(warning && { problem: warning }),
    }
  }
  const to = { kind: 'asset', source } as const
  const { problem } = asset
  if (onSite === undefined || problem.code === 'asset-missing') {
    const found = context.findExactly(source)
    const meant = found.kind === 'other-case' ? found.source : undefined
    return failed({ ...problem, findFix: createFindFix(meant, origin, context) }, to)
  }
  // A file that cannot be sent is available at its URL on the site.
  return context.siteUrl === undefined
    ? failed({ ...problem, hint: `${problem.hint} With siteUrl, the URL on the site is sent.` }, to)
    : resolveSiteAddress(address, onSite, context)
}

/** Resolves a link to an article. One to a rejected article has no problem, because its new text is unknown. */
function linkToArticle(
  { source, isRejected }: Extract<FoundTarget, { readonly kind: 'article' }>,
  address: WrittenAddress,
  context: LinkContext,
): ResolvedAddress {
  const document = (isRejected ? context.lastGood : context.documents).get(source)
  if (document === undefined) return { kind: 'url', url: address.url, to: { kind: 'rejected', source } }
  const link = linkToPart(document, address, context)
  return isRejected ? { kind: 'url', url: link.url } : link
}

function linkToPart(
  document: Document,
  address: WrittenAddress,
  context: LinkContext,
): Extract<ResolvedAddress, { readonly kind: 'url' }> {
  const { suffix, fragment } = splitAddress(address.url)
  const url = context.urlOf(document)
  const to = { kind: 'article', document } as const
  if (fragment === undefined || fragment === '') return { kind: 'url', url: `${url}${suffix}`, to }
  const { anchors, index } = context.anchorsOf(document)
  const anchor = index.find(fragment)
  if (anchor !== undefined) {
    const query = suffix.slice(0, suffix.indexOf('#'))
    return { kind: 'url', url: `${url}${query}#${encodeAnchor(anchor)}`, to }
  }
  const meant = nearest(decodeAddress(fragment), anchors)
  const sure = onlyMeant(decodeAddress(fragment), anchors)
  const problem: AddressProblem = {
    code: 'link-heading-missing',
    message: `${document.source} has no heading "#${fragment}".`,
    hint: meant === undefined ? 'Link to the file, or to one of its headings.' : `Did you mean #${meant}?`,
    findFix:
      sure === undefined ? undefined : (slot) => fixAddress(slot, (written) => withFragment(written, sure)),
  }
  // This rule may be off. The link then leads to the article, without the anchor.
  return { kind: 'url', url: `${url}${suffix}`, to, problem }
}

// A link to a missing file: the hint names what is probably meant, the fix what is certainly meant.

/** @param wanted the path of the file in the content folder */
function missingFile(
  wanted: string,
  address: WrittenAddress,
  origin: LinkOrigin,
  context: LinkContext,
): ResolvedAddress {
  const code = 'link-file-missing'
  if (context.sources().holds(wanted)) {
    const message = `The folder "${address.url}" has no index.md or README.md.`
    return failed({ code, message, hint: 'Link to one of its articles, or add an index.md to the folder.' })
  }
  const name = decodeAddress(address.url.replace(/#.*$/s, ''))
  const isVault = context.site?.dialect.links.areFoundByName === 'first'
  const sourceForFix = lazily(() => findForFix(wanted, context))
  const findPathFix: AddressProblem['findFix'] = (slot) =>
    createFindFix(sourceForFix(), origin, context)?.(slot)
  const findFix: AddressProblem['findFix'] = (slot) =>
    (isVault ? findNameFix(slot, name, origin, context) : undefined) ?? findPathFix(slot)
  if (isVault && !name.includes('/')) return failed({ code, ...missingNote(name, context), findFix })
  const isFile = context.publishes(wanted) && fitsUse(wanted, 'link')
  const hint = lazily(() => {
    const meant = findForHint(wanted, context)
    return meant === undefined
      ? hintForMissing(wanted, isFile)
      : `Did you mean ${posix.relative(posix.dirname(origin.source), meant)}?`
  })
  const noun = isFile || /\.(?!mdx?$)[a-z]\w*$/i.test(wanted) ? 'file' : 'article'
  const message = `There is no ${noun} "${wanted}".`
  return failed({ code, message, hint, findFix })
}

/** Looks for a similar name. A bare name does not say which folder it is in. */
function missingNote(name: string, { sources }: LinkContext): Pick<AddressProblem, 'message' | 'hint'> {
  const names = sources().all.map((source) => posix.basename(source, '.md'))
  const meant = nearest(name, names)
  return {
    message: `There is no note or file named "${name}".`,
    hint: meant === undefined ? 'Correct the name, or create the note.' : `Did you mean "${meant}"?`,
  }
}

function findForFix(wanted: string, { documents, sources }: LinkContext): string | undefined {
  const source = wanted.normalize('NFC')
  return documents.has(`${source}.md`) ? `${source}.md` : sources().onlyMeant(source)
}

/** Finds the change that makes a link lead to the file `meant`; undefined if the corrected URL would not lead there. */
function createFindFix(
  meant: string | undefined,
  origin: LinkOrigin,
  context: LinkContext,
): AddressProblem['findFix'] {
  if (meant === undefined) return undefined
  return (slot) => {
    const fix = fixAddress(slot, (written) => withPath(written, meant, origin.source))
    if (fix === undefined) return undefined
    const target = findTarget({ kind: slot.kind, url: fix.text }, origin, context)
    const leadsThere = (target.kind === 'article' || target.kind === 'asset') && target.source === meant
    return leadsThere ? fix : undefined
  }
}

/** Returns the change of the name in `[[name#heading|words]]`. */
function findNameFix(slot: Slot, name: string, origin: LinkOrigin, context: LinkContext) {
  return fixPath(slot, name, () => {
    const notes = context.sources().all.map((source) => source.replace(/\.md$/, ''))
    const names = name.includes('/') ? notes : notes.map((note) => posix.basename(note))
    const meant = onlyMeant(name, names)
    if (meant === undefined || /[[\]|#^\\]/.test(meant)) return undefined
    const target = findTarget({ kind: slot.kind, url: encodeURI(meant) }, origin, context)
    return target.kind === 'article' ? meant : undefined
  })
}

function hintForMissing(wanted: string, isFile: boolean): string {
  const [, mail] = /(?:^|\/)([^/@\s]+@[\w-]+\.[\w.-]+)$/.exec(wanted) ?? []
  if (mail !== undefined) return `Write mailto:${mail} for an email address.`
  const [web] = /(?<![^/])www\..+/.exec(wanted) ?? []
  if (web !== undefined) return `Write https://${web} for a web page.`
  if (isFile) return 'The path is relative to this file, uses /, and is case-sensitive.'
  return wanted.endsWith('.md')
    ? 'The path is relative to this file: correct it, or create that article.'
    : 'Link to an article by its path, relative to this file, and to anything else by its absolute URL.'
}

/** Returns the file that is probably meant by a path without `.md`, with a typo or in another case. */
function findForHint(wanted: string, { documents, sources, findExactly }: LinkContext): string | undefined {
  const withEnding = `${wanted}.md`.normalize('NFC')
  if (documents.has(withEnding)) return withEnding
  const found = findExactly(wanted)
  if (found.kind === 'other-case') return found.source
  return sources().nearest(wanted)
}
