import type { FailureLimiter, Publisher, Queue } from '@sallyport/webhooks'
import { z } from 'zod'

/** A bus or a shared queue outside of the database. */
export interface Engine<Opened> {
  /** An example of an address, for error messages. */
  readonly form: string
  /** Reports whether an address is valid for the engine. The URL has only the first host of the address. */
  readonly accepts: (url: URL) => boolean
  /** Whether an address may have several hosts of one cluster, separated by commas. @default false */
  readonly hasSeveralHosts?: boolean
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
  /** The maximum size of an event in bytes, if it is not the default of the engine. */
  readonly limit: { readonly eventBytes?: number }
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

/** The parts of an address. Each host has its port, if the address has one. An address such as `sns:…` has no host. */
interface EngineAddress {
  /** The URL with the first host only. */
  readonly url: URL
  readonly hosts: readonly string[]
}

/** Parses an address with one or several hosts, `scheme://user:password@host:1,host2:2/path`. */
function parseEngineAddress(text: string): EngineAddress | undefined {
  if (/^[a-z]+:[^/]/i.test(text.trim())) {
    const opaque = URL.parse(text.trim())
    return opaque === null ? undefined : { url: opaque, hosts: [] }
  }
  const [, scheme = '', authority = '', rest = ''] =
    /^([a-z+]+:\/\/)([^/?#]*)((?:[/?#].*)?)$/i.exec(text.trim()) ?? []
  const separator = authority.lastIndexOf('@') + 1
  const [first = '', ...further] = authority.slice(separator).split(',')
  const url = URL.parse(`${scheme}${authority.slice(0, separator)}${first}${rest}`)
  if (url === null) return undefined
  const hosts = [url.host]
  for (const host of further) {
    const parsed = URL.parse(`${scheme}${host}`)
    if (!parsed?.host || parsed.href !== `${url.protocol}//${parsed.host}`) return undefined
    hosts.push(parsed.host)
  }
  return { url, hosts }
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
      const address = parseEngineAddress(text)
      const engine = address && engines[address.url.protocol]
      const isCluster = engine?.hasSeveralHosts === true || (address?.hosts.length ?? 0) <= 1
      if (address && !isDecodable(address.url.username, address.url.password)) context.addIssue(undecodable)
      else if (address && isCluster && engine?.accepts(address.url)) return formatEngineAddress(address)
      else context.addIssue(`has to be an address such as ${forms.join(' or ')}`)
      return z.NEVER
    })
    .meta({ form: `such as ${forms.map((form) => `\`${form}\``).join(', ')}` })
}

function formatEngineAddress({ url, hosts }: EngineAddress): string {
  if (hosts.length <= 1) return url.href
  const { protocol, username, password, pathname, search } = url
  const credentials = username || password ? `${username}${password && `:${password}`}@` : ''
  return `${protocol}//${credentials}${hosts.join(',')}${pathname}${search}`
}

/** @throws TypeError for text that {@link engineUrl} did not accept */
export function readEngineAddress(text: string): EngineAddress {
  const address = parseEngineAddress(text)
  if (address === undefined) throw new TypeError('The address of the engine is invalid')
  return address
}

/** Formats the scheme and the hosts of an address, without credentials. An address without a host has no credentials. */
export function formatEngineOrigin(text: string): string {
  const { url, hosts } = readEngineAddress(text)
  if (hosts.length === 0) return url.href
  return `${url.protocol}//${hosts.join(',')}`
}

/** Parses the http or https address in an address such as `inngest+https://…`. */
export function parseHttpAddress(address: string): URL | undefined {
  const url = URL.parse(address.replace(/^[a-z]+\+/i, ''))
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.hash === ''
  return isHttp ? url : undefined
}
