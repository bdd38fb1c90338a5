import type { BuildContent } from '@sallyport/webhooks'

/** The headers that decide what an event is and when it was sent. */
const required = ['x-contentful-timestamp', 'x-contentful-topic']

/**
 * Returns the canonical request that Contentful signs: the method, the path, the listed headers and the body, on one line
 * each. Undefined for a list without the time or the topic, for a listed header that the delivery does not have, and for a
 * value that could contain a further header.
 */
export const canonicalRequest: BuildContent = ({ method, url, headers, timestamp, body }) => {
  const names = (headers.get('x-contentful-signed-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  // The sender chooses the list: a captured delivery could otherwise get a new time or another topic.
  if (!required.every((name) => names.includes(name))) return [undefined]
  const lines: string[] = []
  for (const name of names.sort()) {
    const value = name === 'x-contentful-timestamp' ? timestamp : headers.get(name)
    if (value === null || furtherHeader.test(value)) return [undefined]
    lines.push(`${name}:${value.trim()}`)
  }
  return [`${method}\n${getPath(url)}\n${lines.join(';')}\n`, body]
}

/** The parameter of a content type, such as `; charset=utf-8`, has no colon. */
const furtherHeader = /;[^\s:;]+:/

/** The official receiver escapes the query as a whole, and then escapes the path with this query again. */
function getPath(url: string): string {
  const [path = '', query] = url.slice(url.indexOf('/', url.indexOf('//') + 2)).split('?')
  return encodeURI(query === undefined ? path : `${path}?${encodeURIComponent(query)}`)
}
