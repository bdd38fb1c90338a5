import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { getApiHint } from './api.ts'
import type { Connection } from './connection.ts'
import { TemporaryError, tryParseJson, type Io } from './io.ts'
import { createNetworkError } from './request.ts'
import { createResponseError } from './response.ts'

/** A delivery in a list or a stream. */
export const deliverySummary = z.looseObject({
  id: z.string(),
  provider: z.string(),
  endpoint: z.string().nullish(),
  endpoint_name: z.string().nullish(),
  status: z.string(),
  kind: z.string().nullish(),
  subject: z.string().nullish(),
  created_at: z.string(),
})
export type StreamedDelivery = z.infer<typeof deliverySummary>

interface StreamOptions {
  /** The filters, and `receivedAfter` for a start in the past. */
  readonly query: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Reports a lost connection and a new one. */
  readonly report: (line: string) => void
}

/** The server sends a comment every 15 seconds. */
const silenceMs = 45_000
const connectMs = 30_000
const backoffMs = { first: 500, longest: 15_000 }

/**
 * Follows the deliveries that a server records, until the signal is aborted. After a lost connection, the stream continues
 * after the last delivery, without gaps and without doubles. A server that is not available at first is awaited; the stream
 * then starts with the deliveries since the call.
 *
 * @throws CommandError if the server rejects the request
 */
export async function* streamDeliveries(
  connection: Connection,
  options: StreamOptions,
  io: Io,
): AsyncGenerator<StreamedDelivery> {
  const { signal, report } = options
  const query = { receivedAfter: new Date(io.now()).toISOString(), ...options.query }
  let position: string | undefined
  let delay = 0
  let isLost = false
  const isEnded = () => signal.aborted
  while (!isEnded()) {
    try {
      const request = isLost && position === undefined ? { ...options, query } : options
      for await (const { id, delivery } of readStream(connection, position, request, io)) {
        if (isLost) report('Connected again')
        isLost = false
        delay = 0
        position = id ?? position
        if (delivery) yield delivery
      }
    } catch (error) {
      if (isEnded()) return
      if (!(error instanceof TemporaryError)) throw error
      // The address may be wrong.
      if (position === undefined && !isLost) {
        report(`${error.message}; connecting again`)
        isLost = true
      }
    }
    if (isEnded()) return
    if (!isLost) report('The connection is lost; connecting again')
    isLost = true
    delay = Math.min(Math.max(delay * 2, backoffMs.first), backoffMs.longest)
    await io.sleep(delay, signal)
  }
}

interface Item {
  readonly id?: string | undefined
  readonly delivery?: StreamedDelivery
}

/** Reads one response to its end. */
async function* readStream(
  { resolve, getToken }: Connection,
  position: string | undefined,
  { query, signal }: StreamOptions,
  io: Io,
): AsyncGenerator<Item> {
  const address = resolve(`/deliveries/stream?${new URLSearchParams(query).toString()}`)
  const silence = new AbortController()
  const token = await getToken()
  let timer = setTimeout(() => {
    silence.abort()
  }, connectMs)
  try {
    const response = await io.fetch(address, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        'user-agent': 'sallyport',
        ...(position !== undefined && { 'last-event-id': position }),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (response.status !== 200 || !isStream || response.body === null) {
      const { status, headers } = response
      throw createResponseError(
        { status, headers, body: await response.text() },
        'that of the API',
        getApiHint,
      )
    }
    const items: Item[] = []
    const parser = createParser({
      onId: (id) => items.push({ id }),
      onEvent({ event, data }) {
        const delivery = deliverySummary.safeParse(tryParseJson(data))
        if (event === 'delivery' && delivery.success) items.push({ delivery: delivery.data })
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        silence.abort()
      }, silenceMs)
      parser.feed(decoder.decode(chunk, { stream: true }))
      yield* items.splice(0)
    }
  } catch (error) {
    throw error instanceof TypeError || error instanceof DOMException
      ? createNetworkError(address, error, connectMs)
      : error
  } finally {
    clearTimeout(timer)
  }
}
