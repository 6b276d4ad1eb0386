import { z } from 'zod'

/** Body of every failure, whatever the status ("Errors" in the specification). */
export const wireError = z
  .strictObject({
    success: z.literal(false).describe('Whether the call was successful.'),
    message: z.string().min(1).describe('What went wrong.'),
  })
  .meta({ id: 'Failure' })

export type WireError = z.infer<typeof wireError>

/** The HTTP statuses of failures and what each one means; the interface itself names none. */
export const FAILURES = {
  400: 'The body is not JSON, or a field breaks its rule; the message names each such field.',
  401: 'The API key is missing or unknown.',
  403: 'The key may not write, or the article limit is reached.',
  404: 'No such item or operation.',
  405: 'The operation does not know this method; the Allow header names those it knows.',
  409: 'The slug is taken.',
  408: 'The request did not arrive in time.',
  413: 'The body is too large.',
  415: 'The body is not sent as application/json.',
  429: 'The key has sent too many requests, or the address too many unknown keys; the Retry-After header says for how many seconds to wait.',
  500: 'The server met a fault of its own.',
  503: 'The server is stopping, or its database is busy; the Retry-After header says when to come back.',
} as const

export type FailureStatus = keyof typeof FAILURES
