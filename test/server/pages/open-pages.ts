import type { PagesSettings } from '../../../src/server/pages/create-server-pages.ts'
import type { KnowledgeBaseOptions } from '../../../src/server/open-knowledge-base.ts'
import { openTestServer, type TestServer } from '../../support/server.ts'

export const PAGES: PagesSettings = {
  name: 'Acme Help',
  signIn: 'hidden',
  dueWithinDays: 30,
  addresses: {
    article: '/articles/{slug}',
    category: '/categories/{slug}',
    tag: '/tags/{slug}',
    origins: [],
  },
}

export interface PageAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** A browser's requests, with its cookies. */
export interface Visitor {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<PageAnswer>
  readonly post: (
    path: string,
    form: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<PageAnswer>
  /** Returns the cookie as it is sent; undefined without one. */
  readonly cookie: () => string | undefined
}

/** A test server with pages. */
export function openPagesServer(options: Partial<KnowledgeBaseOptions> = {}): Promise<TestServer> {
  return openTestServer({ pages: PAGES, ...options })
}

export function visitorOf({ app }: Pick<TestServer, 'app'>, first?: string): Visitor {
  let cookie = first
  async function ask(path: string, init: RequestInit): Promise<PageAnswer> {
    const headers = new Headers(init.headers)
    if (cookie !== undefined) headers.set('Cookie', cookie)
    const response = await app.request(path, { ...init, headers })
    const given = response.headers.get('set-cookie')?.split(';', 1)[0]
    if (given !== undefined) cookie = given.endsWith('=') ? undefined : given
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return {
    cookie: () => cookie,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, form, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { Origin: 'http://localhost', ...headers },
      }),
  }
}
