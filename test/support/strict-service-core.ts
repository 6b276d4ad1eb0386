import { digest } from '../../src/core/digest.ts'
import type { CreateBody, ServiceHabits } from './strict-service-quirks.ts'
import { createLaggingList } from './strict-service-lag.ts'
import {
  createServiceMemory,
  type Hands,
  type ServiceEvent,
  type StoredCategory,
  type StoredTag,
} from './strict-service-memory.ts'
import { createServiceFiles, type ServiceFiles } from './strict-service-files.ts'
import { createTemper } from './strict-service-modes.ts'
import { createServiceReads } from './strict-service-reads.ts'
import { ok, refuse, type Reply } from './strict-service-reply.ts'
import { createServiceWrites } from './strict-service-writes.ts'

export interface ServiceControls extends Hands {
  /** `METHOD path` of every request. */
  readonly requests: readonly string[]
  readonly events: readonly ServiceEvent[]
  readonly categories: () => readonly StoredCategory[]
  readonly tags: () => readonly StoredTag[]
  /** Files by name. */
  readonly files: ServiceFiles['stored']
  /** Changes what it refuses from now on. */
  readonly refuse: (refuses: ServiceHabits['refuses']) => void
  /** From now on it has its moods. */
  readonly annoy: () => void
  readonly calm: () => void
  /** The lists show all that has happened until now. */
  readonly catchUp: () => void
  /** Forgets requests and events. */
  readonly forget: () => void
}

type BatchBody = CreateBody & { readonly id?: string; readonly ifMatch?: string }

/** The service without its socket. */
export interface ServiceCore extends ServiceControls {
  /** @param path from the address of the service on */
  readonly answer: (method: string, path: string, body: unknown, ifMatch?: string) => Reply
}

export function createServiceCore(habits: ServiceHabits = {}): ServiceCore {
  const { extensions = [], unknownIdStatus = 404, listLag = 0, linkLag = 0 } = habits
  const memory = createServiceMemory(habits)
  const requests: string[] = []
  const files = createServiceFiles(habits.refusesFile)
  const temper = createTemper(habits.moods)
  const dated = createLaggingList(listLag, memory.articles)
  const linked = createLaggingList(linkLag, memory.articles)
  const unknownId = (what: string) => refuse(unknownIdStatus, `No such ${what}`)
  let { refuses } = habits
  const findRefusal = (body: CreateBody) => refuses?.(body)
  const reads = createServiceReads({ habits, memory, unknownId, dated, linked })
  const writes = createServiceWrites({ habits, memory, unknownId, findRefusal })
  const announcement = { ...ok({ message: '' }), headers: { 'KB-Extensions': extensions.join(', ') } }

  function writeAll({ articles }: { readonly articles: readonly BatchBody[] }): Reply {
    const results = articles.map(({ id, ifMatch, ...body }) => {
      const reply =
        id === undefined ? writes.create(body) : (otherVersion(id, ifMatch) ?? writes.update(id, body))
      const newId = reply.headers?.['Location']?.replace(/.*\//, '')
      return { status: reply.status, ...(reply.body as object), ...(newId !== undefined && { id: newId }) }
    })
    return ok({ message: '', results })
  }

  const hasVersions = extensions.includes('etag')
  const versionOf = (id: string) => JSON.stringify(digest(JSON.stringify(memory.byId.get(id) ?? '')))

  function otherVersion(id: string, ifMatch: string | undefined): Reply | undefined {
    const isOther = hasVersions && ifMatch !== undefined && memory.byId.has(id) && ifMatch !== versionOf(id)
    return isOther ? refuse(412, 'The article has changed') : undefined
  }

  function readArticle(id: string): Reply {
    const reply = reads.readArticle(id)
    return hasVersions && memory.byId.has(id) ? { ...reply, headers: { ETag: versionOf(id) } } : reply
  }

  function act(method: string, path: string, body: unknown, ifMatch: string | undefined): Reply {
    if (path.startsWith('/api/v2/files/') && extensions.includes('files'))
      return files.answer(method, path, body)
    const [, kind = '', id = ''] =
      /^\/api\/v2\/(articles|categories|tags|tools)(?:\/([^/]+))?$/.exec(path) ?? []
    switch (`${method} ${kind}${id === '' ? '' : '/'}`) {
      case 'GET articles/':
        return readArticle(id)
      case 'PUT articles':
        return writes.create(body as CreateBody)
      case 'POST articles':
        if (extensions.includes('batch')) return writeAll(body as { readonly articles: readonly BatchBody[] })
        break
      case 'POST articles/':
        if (extensions.includes('update'))
          return otherVersion(id, ifMatch) ?? writes.update(id, body as CreateBody)
        break
      case 'OPTIONS articles':
        if (extensions.length > 0) return announcement
        break
      case 'DELETE articles/':
        return otherVersion(id, ifMatch) ?? writes.remove(id)
      case 'GET categories':
        return reads.listCategories()
      case 'POST categories/':
        return writes.updateCategory(id, body as Record<string, unknown>)
      case 'GET tags/':
        return reads.readTag(id)
      case 'POST tags/':
        return writes.updateTag(id, body as Record<string, unknown>)
      case 'GET tools/':
        if (id === 'review_dates') return reads.listReviewDates()
        if (id === 'link_manager') return reads.listLinks()
    }
    return { status: 404, body: '<h1>Not found</h1>' }
  }

  return {
    ...memory,
    requests,
    answer: (method, path, body, ifMatch) => {
      requests.push(`${method} ${path}`)
      return temper.answer(path, () => act(method, path, body, ifMatch))
    },
    categories: () => [...memory.categories.values()],
    tags: () => [...memory.tags.values()],
    files: files.stored,
    refuse: (next) => {
      refuses = next
    },
    annoy: temper.annoy,
    calm: temper.calm,
    catchUp: () => {
      dated.catchUp()
      linked.catchUp()
    },
    forget: () => {
      requests.length = 0
      memory.events.length = 0
    },
  }
}
