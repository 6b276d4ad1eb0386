// The parts of Astro that we use, as structural types: the site chooses the version of Astro, and kb-sync does not
// depend on it.

export interface AstroLogger {
  readonly info: (text: string) => void
  readonly warn: (text: string) => void
  readonly error: (text: string) => void
}

export interface AstroConfig {
  readonly root: URL
  readonly integrations: readonly {
    readonly name: string
    readonly hooks: Readonly<Record<string, unknown>>
  }[]
}

/** Events of chokidar, in any version. */
export interface AstroFileWatcher {
  readonly add: (paths: string[]) => unknown
  readonly on: (event: 'add' | 'change' | 'unlink' | 'ready', listener: (path: string) => void) => unknown
}

export interface DevServer {
  readonly watcher: AstroFileWatcher
  readonly ws: { readonly on: (event: 'connection', listener: () => void) => unknown }
  readonly hot: {
    send: (payload: { type: 'error'; err: AstroLikeError } | { type: 'full-reload'; path?: string }) => void
  }
  readonly config: { readonly server: { readonly ws?: unknown; readonly watch?: unknown } }
}

/** The fields that Astro uses when it prints an error or shows it in a page. */
export interface AstroLikeError extends Error {
  stack: string
  title?: string
  hint?: string | undefined
  loc?: { file: string; line: number; column: number }
  frame?: string
}

export interface SetupOptions {
  readonly config: AstroConfig
  readonly command: 'dev' | 'build' | 'preview' | 'sync'
  readonly isRestart: boolean
  readonly updateConfig: (config: {
    integrations?: AstroIntegration[]
    vite?: { ssr: { external: string[] } }
  }) => unknown
  readonly logger: AstroLogger
}

export interface AstroIntegration {
  name: string
  hooks: {
    'astro:config:setup'?: (options: SetupOptions) => void | Promise<void>
    'astro:server:setup'?: (options: { server: DevServer }) => void | Promise<void>
    'astro:server:done'?: () => void | Promise<void>
    'astro:build:start'?: () => void | Promise<void>
    'astro:build:done'?: (options: { logger: AstroLogger }) => void | Promise<void>
  }
}

export interface StoredEntry {
  readonly id: string
  readonly data: Record<string, unknown>
  readonly digest?: string | number
  readonly filePath?: string
  readonly rendered?: RenderedEntry
}

/** The result of `render()` of `astro:content`. */
export interface RenderedEntry {
  html: string
  metadata?: { headings?: { depth: number; slug: string; text: string }[] }
}

interface EntryStore {
  readonly get: (id: string) => Pick<StoredEntry, 'digest' | 'rendered'> | undefined
  readonly keys: () => string[]
  readonly set: (entry: StoredEntry) => boolean
  readonly delete: (id: string) => void
}

export interface LoaderContext {
  readonly collection: string
  readonly store: EntryStore
  readonly config: AstroConfig
  readonly generateDigest: (data: Record<string, unknown>) => string | number
  readonly parseData: (props: {
    id: string
    data: Record<string, unknown>
    filePath?: string
  }) => Promise<Record<string, unknown>>
}
