import type { HttpBindings } from '@hono/node-server'

/** What a handler learns of the connection. */
export interface PreviewEnv {
  Bindings: HttpBindings
}
