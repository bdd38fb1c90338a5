/** The text that the inbox stores instead of a credential. */
const redacted = '[redacted]'

/** Headers of one connection, of the path to the gateway, of the response that the sender wants, and credentials. */
const removed = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...[
    'proxy-authenticate',
    'proxy-authorization',
    'authorization',
    'cookie',
    'host',
    'content-length',
    'expect',
  ],
  ...[
    'accept-encoding',
    'http2-settings',
    'forwarded',
    'via',
    'x-real-ip',
    'traceparent',
    'tracestate',
    'baggage',
  ],
  // The stored body is inflated.
  'content-encoding',
])
/** Headers that the destination writes: a sender must not set them. */
const ownPrefixes = ['sallyport-', 'x-forwarded-']

const isRemoved = (name: string): boolean =>
  removed.has(name) || ownPrefixes.some((prefix) => name.startsWith(prefix))

const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

type Headers = Readonly<Record<string, string>>

/** Returns the received headers that a destination gets, by lower-case name. */
export function selectHeaders(received: Headers, allowed: ReadonlySet<string> | undefined): Headers {
  const entries = Object.entries(received).map(([name, value]) => [name.toLowerCase(), value] as const)
  const [, connection = ''] = entries.find(([name]) => name === 'connection') ?? []
  const named = new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(
    entries.filter(
      ([name, value]) =>
        value !== redacted &&
        !isRemoved(name) &&
        !named.has(name) &&
        (allowed === undefined || name === 'content-type' || allowed.has(name)) &&
        headerName.test(name) &&
        headerValue.test(value),
    ),
  )
}

/**
 * Returns the configured headers by lower-case name.
 *
 * @throws TypeError for an invalid header, and for a header that the destination writes; no message has a value
 */
export function readOwnHeaders(headers: Headers = {}): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([given, value]) => {
      const name = given.toLowerCase()
      const isOwn = isRemoved(name) && name !== 'authorization' && name !== 'cookie'
      if (!headerName.test(name) || !headerValue.test(value) || isOwn || writes(name))
        throw new TypeError(`headers must not have ${headerName.test(name) ? name : 'an invalid name'}`)
      return [name, value]
    }),
  )
}

const writes = (name: string): boolean => name === 'content-type' || name.startsWith('webhook-')

/** Removes the parameters whose values are credentials. */
export function appendQuery(url: URL, query: string | undefined): URL {
  const target = new URL(url)
  for (const [name, value] of new URLSearchParams(query))
    if (value !== redacted) target.searchParams.append(name, value)
  return target
}

const maxIdsLength = 4096

/** Joins the ids of events, percent-encoded and separated by commas, up to 4,096 characters. */
export function joinIds(ids: readonly string[]): string {
  let joined = ''
  for (const id of ids) {
    const encoded = id.toWellFormed().replace(/[^\x21-\x7e]|[%,]/gu, encodeURIComponent)
    const longer = joined === '' ? encoded : `${joined},${encoded}`
    if (longer.length > maxIdsLength) break
    joined = longer
  }
  return joined
}
