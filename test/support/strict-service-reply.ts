/** An answer of the service; a text is a page for people. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it comes too late for anybody to wait for it. */
  readonly isLate?: boolean
}

export function ok(members: object): Reply {
  return { status: 200, body: { success: true, ...members } }
}

export function refuse(status: number, message: string): Reply {
  return { status, body: { success: false, message } }
}
