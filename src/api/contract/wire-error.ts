import { z } from 'zod'

/** Body of every failure, regardless of the status ("Errors" in the specification). */
export const wireError = z
  .strictObject({
    success: z.literal(false).describe('Whether the call was successful.'),
    message: z.string().min(1).describe('What went wrong.'),
  })
  .meta({ id: 'Failure' })

export type WireError = z.infer<typeof wireError>

/** The HTTP statuses of failures and their meaning. The specification defines none. */
export const FAILURES = {
  400: 'The body is not JSON, or fields are invalid; the message names each of them.',
  401: 'The API key is missing or unknown.',
  403: 'The key may not write, or the article limit is reached.',
  404: 'No such item or operation.',
  405: 'The path does not support this method; the Allow header lists the methods that it supports.',
  409: 'The slug is taken.',
  408: 'The request did not arrive in time.',
  412: 'The article has another version than the one in If-Match, or the operation does not take If-Match.',
  413: 'The body is too large.',
  415: 'The body is not sent as application/json.',
  422: 'The Idempotency-Key belongs to a create with another body.',
  429: 'The key has sent too many requests, or the address too many different unknown keys; the Retry-After header contains the number of seconds to wait.',
  500: 'An internal error occurred in the server.',
  503: 'The server is stopping, or its database is busy or unavailable. Retry-After says when to try again; without it, the change may have been made.',
  507: 'The files of the knowledge base have reached their limit.',
} as const

export type FailureStatus = keyof typeof FAILURES
