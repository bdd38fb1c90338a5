import { Buffer } from 'node:buffer'
import { type BusEngine, parseHttpAddress, type BusOptions } from './bus-url.ts'
import type { Publisher } from '@sallyport/webhooks'

/** A receiver of CloudEvents over HTTP, one event per request. A user and a password become Basic authentication. */
export const cloudEventsBus: BusEngine = {
  form: 'cloudevents+https://user:password@host/path',
  clients: ['cloudevents'],
  accepts: (url) => parseCloudEventsAddress(url.href) !== undefined,
  async open(address, options) {
    const parts = parseCloudEventsAddress(address)
    if (parts === undefined) throw new TypeError('The address for CloudEvents is invalid')
    const { createCloudEventsPublisher } = await import('../cloudevents/index.ts')
    const publisher = createCloudEventsPublisher({ ...parts, ...options })
    return openHttpBus(publisher, parts.url, options)
  },
}

function parseCloudEventsAddress(
  address: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined {
  const url = parseHttpAddress(address)
  if (url === undefined) return undefined
  try {
    const credentials = [url.username, url.password].map(decodeURIComponent).join(':')
    url.username = url.password = ''
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
    return { url: url.href, headers: credentials === ':' ? {} : { authorization: basic } }
  } catch {
    return undefined
  }
}

/** The path of the event API, then the key. */
const eventPath = /^(.*)\/e\/([^/]+)$/

/** The event API of Inngest, or of a compatible server. */
export const inngestBus: BusEngine = {
  form: 'inngest+https://host/e/KEY',
  clients: [],
  accepts: (url) => parseInngestAddress(url.href) !== undefined,
  async open(address, options) {
    const parts = parseInngestAddress(address)
    if (parts === undefined) throw new TypeError('The address of Inngest has no event key')
    const { createInngestPublisher } = await import('../inngest/index.ts')
    const publisher = createInngestPublisher({ ...parts, ...options })
    return openHttpBus(publisher, parts.url, options)
  },
}

function parseInngestAddress(address: string): { readonly url: string; readonly key: string } | undefined {
  const url = parseHttpAddress(address)
  const [, path, key] = eventPath.exec(url?.pathname ?? '') ?? []
  if (url === undefined || path === undefined || key === undefined) return undefined
  if (url.search !== '' || url.username !== '' || url.password !== '') return undefined
  try {
    return { url: url.origin + path, key: decodeURIComponent(key) }
  } catch {
    return undefined
  }
}

/** Creates an opened engine from a publisher over HTTP, which has no connection to close. */
const openHttpBus = (publisher: Publisher, url: string, options: BusOptions) => ({
  publisher: monitorPublisher(publisher, options),
  ping: createOriginPing(url),
  close: () => Promise.resolve(),
})

/**
 * Wraps a publisher over HTTP, which has no connection to observe. Reports the bus as unavailable when it rejects a whole
 * batch, and as available when it accepts an event.
 */
export function monitorPublisher(
  publisher: Publisher,
  { onUnavailable, onAvailable }: Pick<BusOptions, 'onUnavailable' | 'onAvailable'>,
): Publisher {
  let state: 'unknown' | 'unavailable' | 'available' = 'unknown'
  return {
    async publish(events, signal) {
      const results = await publisher.publish(events, signal)
      const [first] = results
      if (results.some(({ ok }) => ok)) {
        if (state !== 'available') onAvailable?.()
        state = 'available'
      } else if (first?.ok === false && !signal.aborted && results.every((one) => !one.ok && one.retryable)) {
        if (state !== 'unavailable') onUnavailable?.(new Error(first.error))
        state = 'unavailable'
      }
      return results
    },
  }
}

export interface OriginPingOptions {
  /** How long a result is cached, in milliseconds: anyone may request `/ready`. @default 10,000 */
  readonly everyMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Creates a ping that rejects when no server answers at an address. Every response counts. Only the origin is requested, so
 * that no key is sent. The message of the error has no address.
 */
export function createOriginPing(
  url: string,
  { everyMs = 10_000, now = Date.now }: OriginPingOptions = {},
): () => Promise<void> {
  const { origin } = new URL(url)
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined
  return () => {
    if (last === undefined || now() - last.at >= everyMs) last = { at: now(), answer: requestHead(origin) }
    return last.answer
  }
}

async function requestHead(origin: string): Promise<void> {
  try {
    await fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(2000) })
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
    throw new Error(`No answer over HTTP${typeof code === 'string' ? `: ${code}` : ''}`)
  }
}
