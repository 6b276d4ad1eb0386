// All actors other than kb-sync: their actions on the service, and the results that must not change.
import { expect } from 'vitest'
import { asStored, NEW_PAGE, SLUGS } from '../support/history-pages.ts'
import type { MemoryService } from '../support/memory-service.ts'
import type { ServiceHabits, StoredArticle } from '../support/strict-service.ts'
import type { HandStep } from './adversarial-steps.ts'

export interface PeoplesWork {
  /** True if kb-sync must not change an article. */
  readonly isForeign: (article: StoredArticle) => boolean
  /** True if someone has created it from a managed article, or edited it. */
  readonly isTouched: (article: StoredArticle) => boolean
}

export interface UnkindHands extends PeoplesWork {
  readonly act: (step: HandStep) => void
  /** Closes drafts, and moves foreign articles away from these slugs. */
  readonly comeToRest: (wanted: ReadonlySet<string>) => void
  /** Checks that foreign articles are unchanged. */
  readonly check: () => void
  /** Checks that edits of managed articles are unchanged. */
  readonly checkEdits: () => void
}

const OURS = '<!--kb1.64656d6f.'
const OTHERS = '<!--kb1.6f74686572.'

export function createHands(service: MemoryService, habits: ServiceHabits): UnkindHands {
  const foreign = new Map(service.articles().map((article) => [article.id, article]))
  /** Copies of managed articles, each with its own slug. */
  const copies = new Set<string>()
  const edited = new Map<string, StoredArticle>()
  /** Slugs that someone has given a managed article, as they are stored when it is restored. */
  const chosenSlugs = new Set<string>()
  const { duplicateSlugs = 'allowed', stripsComments = false } = habits
  let count = 0
  const isForeign = ({ id }: StoredArticle) => foreign.has(id)
  const isTouched = ({ id, slug }: StoredArticle) => copies.has(id) || edited.has(id) || chosenSlugs.has(slug)
  const current = (id: string) => service.articles().find((each) => each.id === id)

  /** Returns a slug that is available in addition to others. */
  function freeSlug(wanted: string | undefined, otherwise: string): string {
    const isTaken = service.articles().some(({ slug, language }) => slug === wanted && language === null)
    // If taken slugs are changed, a managed article may already have been sent to the changed one.
    const mayBeTaken = duplicateSlugs === 'allowed' || !isTaken
    const isHad = wanted !== undefined && duplicateSlugs !== 'suffixed' && mayBeTaken
    return isHad ? wanted : otherwise
  }

  function storedSlug(slug = ''): string {
    return asStored({ ...NEW_PAGE, title: '', slug }, habits).slug
  }

  function note(id: string): void {
    const article = current(id)
    if (article !== undefined) foreign.set(id, article)
  }

  function edit(id: string, changes: Partial<StoredArticle>): void {
    service.editById(id, changes)
    const article = current(id)
    if (article !== undefined) edited.set(id, article)
  }

  function act({ what, pick, value }: HandStep): void {
    const name = `${what}-${++count}`
    const all = service.articles()
    const ours = all.filter((article) => !isForeign(article))
    const own = ours[pick % Math.max(1, ours.length)]
    const others = all.filter(isForeign)
    const other = others[pick % Math.max(1, others.length)]
    if (what === 'write-foreign') {
      const slug = freeSlug(storedSlug(SLUGS[value]), name)
      const reviewDate = pick % 2 === 0 ? '' : '2027-01-01'
      note(service.add({ title: `Title ${value % 3}`, slug, content: '<p>By hand</p>', reviewDate }).id)
    } else if (what === 'move-foreign') {
      if (other === undefined) return
      service.editById(other.id, { slug: freeSlug(storedSlug(SLUGS[value]), name) })
      note(other.id)
    } else if (own !== undefined) {
      actOnOurs(own, what, { name, value })
    }
  }

  function actOnOurs(
    own: StoredArticle,
    what: Exclude<HandStep['what'], 'write-foreign' | 'move-foreign'>,
    { name, value }: { readonly name: string; readonly value: number },
  ): void {
    const { id, slug, content } = own
    switch (what) {
      case 'edit-text':
        return edit(id, { content: content.replace(/<p[^>]*>/, '$&Somebody wrote: ') })
      case 'edit-title':
        return edit(id, { title: `Edited ${value}` })
      case 'edit-field':
        return edit(id, { order: 50 + value })
      case 'edit-slug':
        chosenSlugs.add(storedSlug(name))
        return edit(id, { slug: name })
      case 'delete':
        edited.delete(id)
        return service.dropById(id)
      case 'copy':
        if (duplicateSlugs !== 'allowed' || stripsComments) return
        copies.add(service.duplicate(id).id)
        return
      case 'copy-aside': {
        const copy = service.duplicate(id, { slug: name, languageParent: '' })
        // Without a marker, it is a person's own article.
        if (stripsComments) note(copy.id)
        else copies.add(copy.id)
        return
      }
      case 'open-draft':
        return edit(id, { draftId: name })
      case 'other-repository':
        if (content.includes(OURS)) {
          const changes = { content: content.replace(OURS, OTHERS), slug: freeSlug(slug, name) }
          note(service.duplicate(id, { ...changes, languageParent: '' }).id)
        }
        return
      case 'write-twin': {
        // If comments are removed, only a state distinguishes it from a managed article.
        if (stripsComments) return
        const changes = { content: content.replace(/<!--.*?-->/s, ''), slug: freeSlug(slug, name) }
        note(service.duplicate(id, { ...changes, languageParent: '' }).id)
      }
    }
  }

  return {
    isForeign,
    isTouched,
    act,
    comeToRest: (wanted) => {
      for (const { id, draftId, slug } of service.articles()) {
        if (draftId !== '') service.editById(id, { draftId: '' })
        if (!foreign.has(id) || !wanted.has(slug)) continue
        service.editById(id, { slug: `moved-${++count}` })
        note(id)
      }
    },
    check: () => {
      const ids = [...foreign.keys()]
      expect(ids.map(current)).toEqual([...foreign.values()])
    },
    checkEdits: () => {
      const ids = [...edited.keys()]
      expect(ids.map(current)).toEqual([...edited.values()])
    },
  }
}
