/** JSON that is ready, or that is made piece by piece while it is sent. */
type JsonBody = string | Uint8Array | AsyncGenerator<string, void>

/** A successful answer whose body is JSON already, so that it is not written twice. */
export class JsonResponse {
  readonly body: JsonBody
  readonly headers: Readonly<Record<string, string>>

  constructor(body: JsonBody, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** @param headers those of this answer alone; what every answer carries is added where it is sent */
export function jsonResponse(body: JsonBody, headers: Readonly<Record<string, string>> = {}): JsonResponse {
  return new JsonResponse(body, headers)
}
