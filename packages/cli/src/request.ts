import { failure, printable, readAtMost, TemporaryError, type Io } from './io.ts'
import type { ServerResponse } from './response.ts'

/** The limits of a request. */
interface Limits {
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

/**
 * Posts a delivery as a service would: without following redirects, with a timeout of 10 seconds.
 *
 * @throws CommandError if no response arrives
 */
export function post(
  endpoint: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  io: Io,
): Promise<ServerResponse> {
  const limits = { timeoutMs: 10_000, maxResponseBytes: 1024 * 1024 }
  return exchange(endpoint, { method: 'POST', headers, body: Uint8Array.from(body) }, limits, io)
}

/**
 * Sends a request without following redirects.
 *
 * @throws CommandError if no response arrives
 */
export async function exchange(
  endpoint: URL,
  request: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  { timeoutMs, maxResponseBytes }: Limits,
  io: Io,
): Promise<ServerResponse> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await io.fetch(endpoint, { ...request, redirect: 'manual', signal })
    const read = response.body === null ? undefined : await readAtMost(response.body, maxResponseBytes)
    const text = read === undefined ? '' : new TextDecoder().decode(read)
    return { status: response.status, headers: response.headers, body: text }
  } catch (error) {
    throw createNetworkError(endpoint, error, timeoutMs)
  }
}

/** Explains an error of `fetch`. */
export function createNetworkError(
  { origin, hostname }: URL,
  error: unknown,
  timeoutMs: number,
): TemporaryError {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new TemporaryError(failure, `${origin} did not respond within ${timeoutMs / 1000} seconds`)
  }
  const code = errorCode(error) ?? 'unknown'
  switch (code) {
    case 'ECONNREFUSED':
      return new TemporaryError(
        failure,
        `No server listens at ${origin}`,
        'Start the server (npm start), or set its address with --url.',
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new TemporaryError(
        failure,
        `The name ${hostname} cannot be resolved`,
        'Set the address with --url.',
      )
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return new TemporaryError(
        failure,
        `The server at ${origin} does not use TLS`,
        'Use an address with http instead of https.',
      )
    default:
      return new TemporaryError(failure, `${origin} cannot be reached (${printable(code, 64)})`)
  }
}

/** Returns the error code from the cause of a fetch error. With several addresses, the first error counts. */
function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string') return code
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return errorCode(inner) ?? error.message
}
