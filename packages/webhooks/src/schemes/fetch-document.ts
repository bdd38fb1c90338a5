import { readBounded } from './read-bounded.ts'

export interface FetchDocumentOptions {
  /** The hosts that the URL may name: exact lower-case names, or patterns that match the whole name. */
  readonly hosts: readonly (string | RegExp)[]
  readonly fetch?: typeof fetch
  /** The method, the headers and the body of the request. @default a GET without headers */
  readonly init?: Pick<RequestInit, 'method' | 'headers' | 'body'>
  /** @default 5000 */
  readonly timeoutMs?: number
  /** The largest document in bytes. @default 65536 */
  readonly maximumBytes?: number
}

/**
 * Fetches a small text, such as a key or a certificate, from an allowed host.
 *
 * The URL has `https:`, the default port and no credentials. A redirect is an error.
 *
 * @throws TypeError for a URL that is not allowed
 * @throws Error for a status other than 2xx, a larger document, or a timeout
 *
 * @example
 * ```ts
 * import { fetchDocument } from '@sallyport/webhooks/keys'
 *
 * const pem = await fetchDocument('https://keys.example/current.pem', { hosts: ['keys.example'] })
 * ```
 */
export async function fetchDocument(url: string, options: FetchDocumentOptions): Promise<string> {
  const { hosts, fetch: send = fetch, init, timeoutMs = 5000, maximumBytes = 65_536 } = options
  if (!isAllowedUrl(url, hosts)) throw new TypeError('The URL of a key is not at an allowed host')
  const response = await send(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The server of the key answered ${response.status}`)
  }
  const stream: AsyncIterable<Uint8Array> = response.body ?? new Blob([]).stream()
  const bytes = await readBounded(stream, maximumBytes)
  if (bytes === undefined) throw new Error('The document with the key is too large')
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Reports whether a URL has `https:`, the default port, no credentials and an allowed host. */
export function isAllowedUrl(url: string, hosts: FetchDocumentOptions['hosts']): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, port, username, password, hostname } = new URL(url)
  if (protocol !== 'https:' || port + username + password !== '') return false
  return hosts.some((host) => (typeof host === 'string' ? host === hostname : host.test(hostname)))
}
