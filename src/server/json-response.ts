/** A successful answer whose body is JSON already. */
export function jsonResponse(body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}
