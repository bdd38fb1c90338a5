import type { IncomingMessage } from 'node:http'
import type { DeliveryHeaders } from '@sallyport/webhooks'

/**
 * The headers of a Node request with every value of a name, as fetch shows them.
 *
 * `request.headers` keeps only the first of several `Authorization` or `Content-Type` headers, and so hides a second.
 */
export function headersOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): DeliveryHeaders {
  let folded: Map<string, string> | undefined
  const all = () => (folded ??= fold(rawHeaders))
  return {
    get: (name) => all().get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  }
}

/** Names and values take turns in the list. */
function fold(rawHeaders: readonly string[]): Map<string, string> {
  const folded = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    const value = rawHeaders[index + 1] as string
    const before = folded.get(name)
    folded.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return folded
}
