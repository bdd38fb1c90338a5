import type { FailureLimiter, Publisher, Queue } from '@sallyport/webhooks'
import { z } from 'zod'

/** A bus or a shared queue outside of the database. */
export interface Engine<Opened> {
  /** An example of an address, for error messages. */
  readonly form: string
  /** Reports whether an address is valid for the engine. */
  readonly accepts: (url: URL) => boolean
  /**
   * Loads the driver and opens the engine, which connects in the background. While the engine is unavailable, events wait
   * in the inbox.
   */
  readonly open: (url: string, context: EngineContext) => Promise<Opened>
}

export interface OpenedEngine {
  /** Counts failures for all replicas, if the engine supports it. */
  readonly limiter?: FailureLimiter
  /** Rejects with the reason when it does not answer. */
  readonly ping: () => Promise<unknown>
  /** Waits for running operations, then closes. */
  readonly close: () => Promise<void>
}

/** The options and callbacks for an engine. */
export interface EngineContext {
  /** The timeout of one batch, in whole milliseconds: shorter than the timeout of the dispatcher. */
  readonly timeoutMs: number
  /** The timeout of `close`, in whole milliseconds. */
  readonly closeTimeoutMs: number
  /** Called once when the engine becomes unavailable; the message of the error contains no secret. */
  readonly onUnavailable: (error: unknown) => void
  readonly onAvailable: () => void
  /** Called for a queue item that is not an event and was removed. */
  readonly onUnreadable: (error: unknown) => void
}

export type BusEngine = Engine<OpenedEngine & { readonly publisher: Publisher }>
export type QueueEngine = Engine<OpenedEngine & { readonly queue: Queue }>

/** The message for an address whose user, password or path cannot be decoded. */
export const undecodable = 'has a % without two hexadecimal digits: write % as %25'

/** Reports whether parts of an address are percent-encoded correctly; a driver would fail or send them undecoded. */
export function isDecodable(...texts: readonly string[]): boolean {
  try {
    return texts.map(decodeURIComponent).length === texts.length
  } catch {
    return false
  }
}

/**
 * Creates the schema for the address of one of these engines. No message quotes the address, which may contain a password
 * or a key.
 */
export function engineUrl(engines: Readonly<Record<string, Engine<unknown>>>) {
  const forms = [...new Set(Object.values(engines).map(({ form }) => form))]
  return z
    .string()
    .transform((text, context) => {
      const url = URL.parse(text)
      if (url !== null && !isDecodable(url.username, url.password)) context.addIssue(undecodable)
      else if (url !== null && engines[url.protocol]?.accepts(url) === true) return url.href
      else context.addIssue(`has to be an address such as ${forms.join(' or ')}`)
      return z.NEVER
    })
    .meta({ form: `such as ${forms.map((form) => `\`${form}\``).join(', ')}` })
}

/** Formats the scheme and host of an address, without credentials. */
export function formatEngineOrigin(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** Parses the http or https address in an address such as `inngest+https://…`. */
export function parseHttpAddress(address: string): URL | undefined {
  const url = URL.parse(address.replace(/^[a-z]+\+/i, ''))
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.hash === ''
  return isHttp ? url : undefined
}
