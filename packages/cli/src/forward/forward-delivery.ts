import { signDelivery, type AnyProvider } from '@sallyport/webhooks'
import { CommandError, type Io } from '../io.ts'
import { createNetworkError } from '../request.ts'
import type { LocalSecret } from '../local-secret.ts'

/** A recorded delivery with its content. */
export interface RecordedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly query?: string | null | undefined
  readonly body: Uint8Array
}

/** The response of the local server, or why there is none. */
export type LocalResult =
  | { readonly status: number; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number }

const timeoutMs = 30_000
/** Headers of the connection to the server that recorded the delivery. The recorded body is not compressed. */
const droppedHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const redacted = '[redacted]'

/** Returns the recorded headers that a request can have, without redacted ones. */
export function getRecordedHeaders({ headers }: Pick<RecordedDelivery, 'headers'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !droppedHeaders.has(name) && value !== redacted),
  )
}

/** Returns the recorded query that a request can have, without redacted parameters. */
export function getRecordedQuery({ query }: Pick<RecordedDelivery, 'query'>): string {
  const parameters = [...new URLSearchParams(query ?? '')]
  return new URLSearchParams(parameters.filter(([, value]) => value !== redacted)).toString()
}

/** Sends a recorded delivery to a local server, signed with the local secret. */
export async function forwardDelivery(
  to: URL,
  provider: AnyProvider,
  delivery: RecordedDelivery,
  secret: LocalSecret | undefined,
  io: Io,
): Promise<LocalResult> {
  const target = new URL(to)
  target.search = [target.search.slice(1), getRecordedQuery(delivery)].filter(Boolean).join('&')
  const headers = new Headers(getRecordedHeaders(delivery))
  const unsigned = { method: 'POST', headers, body: delivery.body, url: target.href }
  const signed = secret && (await signDelivery(provider.signature, unsigned, secret.sign, io.now()))
  for (const [name, value] of Object.entries(signed?.headers ?? {})) headers.set(name, value)
  const startedAt = performance.now()
  const measure = () => Math.round(performance.now() - startedAt)
  try {
    const response = await io.fetch(new URL(signed?.url ?? target), {
      method: 'POST',
      headers,
      body: Uint8Array.from(signed?.body ?? delivery.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return { status: response.status, durationMs: measure() }
  } catch (error) {
    const { message } = error instanceof CommandError ? error : createNetworkError(target, error, timeoutMs)
    return { error: message, durationMs: measure() }
  }
}
