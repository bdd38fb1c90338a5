import { integerOption } from '@sallyport/internal/options'
import type { Destination, Publisher } from '@sallyport/webhooks'
import type { Dispatcher } from 'undici'
import { SallyportError } from '@sallyport/errors'
import type { AgentOptions } from './agent.ts'
import { createAttempt } from './attempt.ts'
import { checkHost, createAddressTest, createLookup } from './network.ts'
import type {
  EventDestinationOptions,
  HttpDestinationOptions,
  OriginalDestinationOptions,
} from './options.ts'
import { createPublish } from './publish.ts'
import { createEventRequests, createOriginalRequests } from './requests.ts'
import { listRetryDelays } from './retry-delays.ts'
import { createClassifier } from './statuses.ts'

/** A destination over HTTP. */
export interface HttpDestination extends Destination {
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>
}

/**
 * Creates a destination that posts to an HTTP service: each delivery as received, or each event. In event mode the destination is
 * a publisher too.
 *
 * - 2xx is done, and 410 is gone. Every other status is retried, after the delay of `Retry-After`; redirects are not followed.
 * - A network failure, a timeout, 408, 425, 429 and 5xx mean that the destination is unavailable.
 * - Only public addresses over `https:` are reached, unless `network.allowPrivate` permits others. Each connection checks the
 *   addresses that its name resolves to. Behind a proxy of `HTTPS_PROXY`, the proxy resolves names and has to refuse addresses.
 *
 * Failures contain the status or the code of the system's error. They contain no URL, header, secret or body.
 *
 * @throws TypeError for invalid options; no message contains the URL or a secret
 *
 * @example
 * ```ts
 * import { createHttpDestination } from '@sallyport/buses/http'
 * import { createEventFilter } from '@sallyport/webhooks/filter'
 *
 * export const orders = createHttpDestination({
 *   url: 'https://orders.example.com/webhooks',
 *   mode: 'event',
 *   secrets: process.env.ORDERS_SECRET ?? '',
 *   filter: createEventFilter({ events: ['shopify/orders.*'] }),
 * })
 * ```
 */
export function createHttpDestination(options: EventDestinationOptions): HttpDestination & Publisher
export function createHttpDestination(options: OriginalDestinationOptions): HttpDestination
export function createHttpDestination(options: HttpDestinationOptions): HttpDestination & Partial<Publisher> {
  const { filter, redact = [], order = 'none', ratePerSecond, maxAgeMs, now = Date.now } = options
  const monotonic = options.monotonic ?? (() => performance.now())
  const concurrency = integerOption('concurrency', options.concurrency ?? 10, 1, 1000)
  const timeoutMs = integerOption('timeoutMs', options.timeoutMs ?? 15_000, 1, 3_600_000)
  if (ratePerSecond !== undefined) integerOption('ratePerSecond', ratePerSecond, 1)
  if (maxAgeMs !== undefined) integerOption('maxAgeMs', maxAgeMs, 1)
  const url = parseUrl(options.url)
  if (url.protocol === 'http:' && !options.network?.allowPrivate)
    throw new TypeError('url of a destination must begin with https: or network.allowPrivate must be set')
  const isAllowed = createAddressTest(options.network ?? {}, url.protocol)
  checkHost(url, isAllowed)
  const requests =
    options.mode === 'original' ? createOriginalRequests(options, url) : createEventRequests(options, url)
  const classify = createClassifier(options.statuses)
  const retryDelaysMs = listRetryDelays(options.retry ?? {})
  const name = readName(options.name, url)
  let dispatcher: Promise<Dispatcher> | undefined
  const openDispatcher = () =>
    (dispatcher ??= loadDispatcher({
      connections: concurrency,
      lookup: createLookup(isAllowed),
      timeoutMs,
      tls: options.tls,
    }))
  const attempt = createAttempt({ requests, classify, openDispatcher, timeoutMs, now })

  const width = order === 'none' ? concurrency : 1
  return {
    ...{ name, mode: options.mode, order, concurrency, retryDelaysMs },
    // An attempt ends itself before.
    timeoutMs: timeoutMs + 1000,
    ...(filter && { accepts: filter }),
    ...(redact.length > 0 && { redact }),
    ...(ratePerSecond !== undefined && { ratePerSecond }),
    ...(maxAgeMs !== undefined && { maxAgeMs }),
    prepare: () => Promise.all([openDispatcher(), requests.prepare?.()]),
    async send(message, signal) {
      const startedAt = monotonic()
      const result = await attempt(message, signal)
      return { ...result, durationMs: monotonic() - startedAt }
    },
    ...(options.mode === 'event' && {
      publish: createPublish({ attempt, concurrency: width, filter, redact }),
    }),
    async close() {
      await (await dispatcher)?.close()
    },
  }
}

/** Loads undici when it is needed: a server without destinations neither needs nor reads it. */
async function loadDispatcher(options: AgentOptions): Promise<Dispatcher> {
  try {
    const { createAgent } = await import('./agent.ts')
    return createAgent(options)
  } catch (error) {
    throw new SallyportError('SERVICE_UNAVAILABLE', 'A client is missing: npm install undici', {
      cause: error,
    })
  }
}

/** @throws TypeError for another URL; the message does not contain it */
function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError('url of a destination must be an https address without a user or password in it')
  url.hash = ''
  return url
}

/** @throws TypeError */
function readName(given: string | undefined, { hostname }: URL): string {
  const name =
    given ??
    hostname
      .replaceAll(/[^a-z0-9.]/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 64)
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) return name
  throw new TypeError(
    'name of a destination must have 1 to 64 lower-case letters, digits, dots, hyphens and underscores',
  )
}
