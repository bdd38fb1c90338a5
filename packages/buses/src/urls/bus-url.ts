import { isDecodable } from '@sallyport/internal/decodable'
import type { FailureLimiter, Publisher } from '@sallyport/webhooks'
import type { Consumer, ConsumerOptions } from '@sallyport/webhooks/consumer'

/** A kind of bus, which the scheme of a URL names. */
export interface Engine<Opened> {
  /** An example of a URL, for error messages. */
  readonly form: string
  /** The packages of the client. */
  readonly clients: readonly string[]
  /** Reports whether a URL is valid for the engine. The URL has only the first host of the address. */
  readonly accepts: (url: URL) => boolean
  /** Whether a URL may have several hosts of one cluster, separated by commas. @default false */
  readonly hasSeveralHosts?: boolean
  /**
   * Loads the client and opens the engine, which connects in the background. A shared queue is a bus beside the bus of the URL,
   * whose events are deleted when they are settled.
   */
  readonly open: (url: string, options: BusOptions, isQueue: boolean) => Promise<Opened>
}

export interface OpenedBus {
  readonly publisher: Publisher
  /** Counts failures for all processes, if the engine supports it. */
  readonly limiter?: FailureLimiter
  /** Rejects with the reason when the engine does not answer. */
  readonly ping: () => Promise<unknown>
  /** Waits for running operations, then closes. */
  readonly close: () => Promise<void>
}

/** A bus with consumers. */
export interface OpenedQueue extends OpenedBus {
  readonly consumer: (options: ConsumerOptions) => Consumer
}

/** The options of every bus and queue. A default is that of the bus. */
export interface BusOptions {
  /** The timeout of one batch, in whole milliseconds: shorter than the timeout of the dispatcher. */
  readonly timeoutMs?: number
  /** The largest event in bytes. */
  readonly eventBytes?: number
  /** The timeout of `close`, in whole milliseconds. */
  readonly closeTimeoutMs?: number
  /** Called once when the bus becomes unavailable; the message of the error contains no secret. */
  readonly onUnavailable?: (error: unknown) => void
  readonly onAvailable?: () => void
}

/** Returns the options of a publisher. */
export const limitOf = ({ eventBytes }: BusOptions): { readonly eventBytes?: number } =>
  eventBytes === undefined ? {} : { eventBytes }

export type BusEngine = Engine<OpenedBus>
export type QueueEngine = Engine<OpenedQueue>

/** The message for a URL whose user, password or path cannot be decoded. */
const undecodable = 'has a % without two hexadecimal digits: write % as %25'

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

type Engines = Readonly<Record<string, Engine<unknown>>>

/**
 * Finds the engine of a URL, and returns it with the URL in canonical form.
 *
 * @throws TypeError for another URL; no message quotes the URL, which may contain a password or a key
 */
export function findEngine<Found extends Engine<unknown>>(
  engines: Readonly<Record<string, Found>>,
  text: string,
): { readonly engine: Found; readonly url: string } {
  const address = parseEngineAddress(text)
  const engine = address && engines[address.url.protocol]
  const isCluster = engine?.hasSeveralHosts === true || (address?.hosts.length ?? 0) <= 1
  if (address && !isDecodable(address.url.username, address.url.password)) throw new TypeError(undecodable)
  if (address && isCluster && engine?.accepts(address.url))
    return { engine, url: formatEngineAddress(address) }
  throw new TypeError(`has to be an address such as ${listForms(engines).join(' or ')}`)
}

/** Lists an example of a URL of each engine. */
export const listForms = (engines: Engines): readonly string[] => [
  ...new Set(Object.values(engines).map(({ form }) => form)),
]

function formatEngineAddress({ url, hosts }: EngineAddress): string {
  if (hosts.length <= 1) return url.href
  const { protocol, username, password, pathname, search } = url
  const credentials = username || password ? `${username}${password && `:${password}`}@` : ''
  return `${protocol}//${credentials}${hosts.join(',')}${pathname}${search}`
}

/** @throws TypeError for text that is not an address */
export function readEngineAddress(text: string): EngineAddress {
  const address = parseEngineAddress(text)
  if (address === undefined) throw new TypeError('The address of the engine is invalid')
  return address
}

/** Formats the scheme and the hosts of a URL that `checkBusUrl` returned, without credentials. A URL without a host has none. */
export function formatUrlOrigin(text: string): string {
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
