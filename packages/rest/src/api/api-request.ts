import type { AnyRoute } from '../route.ts'

/** A request as a host passes it to an API. */
export interface ApiRequest {
  readonly method: string
  /** The undecoded path below the mount path, such as `/users/7`. */
  readonly path: string
  /** The query with its `?`; empty without a query. */
  readonly query: string
  /** The path that the API is mounted at, such as `/api/v1`; empty at the root. */
  readonly mountPath: string
  /** Returns the value of a header by its lower-case name; a repeated header is joined with commas. */
  readonly header: (name: string) => string | undefined
  /** Whether the request has a body. A chunked body may still be empty. */
  readonly hasBody: boolean
  /**
   * Reads the whole body.
   *
   * @param createError creates the error for a body of more than `limit` bytes
   * @throws SallyportError 408 `REQUEST_TIMEOUT` for a body that does not arrive; 400 `BAD_REQUEST` for one that ends early
   */
  readonly readBody: (limit: number, createError: () => Error) => Promise<Uint8Array>
  /**
   * Returns the body as a stream. The host discards the rest of the body if the stream is canceled, and the stream fails if the
   * body ends early.
   */
  readonly streamBody: () => ReadableStream<Uint8Array>
  /** The address of the client, which the host determines; undefined if unknown. */
  readonly clientAddress: string | undefined
  /** The id for logs and for the `X-Request-Id` header. */
  readonly requestId: string
  /** Aborts when the client disconnects, if the host detects it. */
  readonly signal: AbortSignal | undefined
  /** The request object of the host, such as `IncomingMessage` or `Request`. */
  readonly raw: unknown
}

/** A response that a host sends. For HEAD, the host omits the body. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The values of `Set-Cookie`, each sent as a separate header. @default none */
  readonly cookies?: readonly string[]
  readonly body: ResponseBody | null
  /** The route of the request; undefined for an unknown path or method. */
  readonly route?: AnyRoute | undefined
}

/** The body of a response that is not JSON: text, bytes or a stream of bytes. */
export type ResponseBody = string | Uint8Array | ReadableStream<Uint8Array>
