/** A successful answer whose body is JSON already, so that it is not written twice. */
export class JsonResponse {
  readonly body: string | ReadableStream<Uint8Array>
  readonly headers: Readonly<Record<string, string>>

  constructor(body: string | ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** @param headers those of this answer alone; what every answer carries is added where it is sent */
export function jsonResponse(
  body: string | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): JsonResponse {
  return new JsonResponse(body, headers)
}
