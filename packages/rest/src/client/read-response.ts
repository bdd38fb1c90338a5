import type { ErrorDetail } from '@sallyport/errors'
import { readRetryAfter } from './retry.ts'
import type { ClientFailure } from './types.ts'

interface AnySuccess {
  readonly ok: true
  readonly status: number
  readonly data: unknown
  readonly etag: string | undefined
  readonly headers: Headers
}

export type AnyResult = AnySuccess | ClientFailure

const isJson = ({ headers }: Response) =>
  /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '')

/** Reads the data of an answer: the resource, the page of a list, or the response itself if it is not JSON. */
export async function readSuccess(response: Response): Promise<AnySuccess | ClientFailure> {
  const { status, headers } = response
  const etag = headers.get('etag') ?? undefined
  if (status === 204 || response.body === null) return { ok: true, status, data: undefined, etag, headers }
  if (!isJson(response)) return { ok: true, status, data: response, etag, headers }
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    const isEnvelope = typeof body === 'object' && body !== null && Object.keys(body).join() === 'data'
    return { ok: true, status, data: isEnvelope ? (body as { data: unknown }).data : body, etag, headers }
  } catch {
    return unreadable(response)
  }
}

/** Reads the error of an answer. */
export async function readFailure(response: Response): Promise<ClientFailure> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { readonly error: ErrorBody }
    if (typeof error.code !== 'string' || typeof error.message !== 'string') return unreadable(response)
    return {
      ok: false,
      code: error.code,
      status: response.status,
      message: error.message,
      details: error.details,
      retryAfterMs: readRetryAfter(response),
    }
  } catch {
    return unreadable(response)
  }
}

interface ErrorBody {
  readonly code: unknown
  readonly message: unknown
  readonly details?: readonly ErrorDetail[]
}

/** The failure of an answer that is not one of the API. */
export const unreadable = (response: Response): ClientFailure => ({
  ok: false,
  code: 'UNREADABLE_RESPONSE',
  status: response.status,
  message: 'The answer is not one of the API',
  details: undefined,
  retryAfterMs: readRetryAfter(response),
})

/** The failure of a request without an answer. */
export const networkFailure: ClientFailure = {
  ok: false,
  code: 'NETWORK_ERROR',
  status: 0,
  message: 'The server cannot be reached',
  details: undefined,
  retryAfterMs: undefined,
}
