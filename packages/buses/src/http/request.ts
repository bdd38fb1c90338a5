import { parseRetryAfter } from '@sallyport/internal/retry-after'
import type { Dispatcher } from 'undici'
import { addressRefused } from './network.ts'

export interface OutgoingRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** An answer, or the reason for none. A request is invalid if a header cannot be written. */
export type Answer =
  | { readonly status: number; readonly response: string; readonly retryAfterMs: number | undefined }
  | { readonly status?: never; readonly error: string; readonly isInvalid: boolean }

const keptBytes = 4096
/** A connection with more bytes to read is closed. */
const discardedBytes = 64 * 1024

/**
 * Posts a request without following redirects. The status counts as soon as the head of the response is there; the first 4 KB of
 * the body are kept, and a response beyond 64 KB, a broken or a slow one ends there.
 *
 * @param now milliseconds since the epoch
 */
export async function post(
  { url, headers, body }: OutgoingRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
  now: () => number,
): Promise<Answer> {
  let response: Dispatcher.ResponseData
  try {
    const path = `${url.pathname}${url.search}`
    response = await dispatcher.request({ origin: url.origin, path, method: 'POST', headers, body, signal })
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown }
    return { error: describe(code), isInvalid: code === 'UND_ERR_INVALID_ARG' }
  }
  const retryAfter = [response.headers['retry-after']].flat()[0]
  return {
    status: response.statusCode,
    response: await readStart(response.body),
    retryAfterMs: parseRetryAfter(retryAfter, now()),
  }
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes))
      bytes += chunk.byteLength
      if (bytes > discardedBytes) break
    }
  } catch {
    // The connection or the time ended.
  }
  // PostgreSQL stores no NUL.
  return new TextDecoder().decode(Buffer.concat(kept)).replaceAll('\0', '\u{fffd}')
}

/** Messages of errors contain addresses. */
function describe(code: unknown): string {
  if (code === addressRefused)
    return 'The destination has an address that is not allowed: see network.allowPrivate'
  const reason = typeof code === 'string' && /^\w{1,64}$/.test(code) ? `: ${code}` : ''
  return `The destination cannot be reached${reason}`
}
