/** A successful answer whose body is JSON already. */
export function jsonResponse(
  body: string | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { headers: { 'Content-Type': 'application/json', ...headers } })
}
