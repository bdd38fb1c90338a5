import type { BuildContent } from '@sallyport/webhooks'

/**
 * Returns the canonical request that Contentful signs: the method, the path, the listed headers and the body, on one line
 * each. Undefined for a listed header that the delivery does not have.
 */
export const canonicalRequest: BuildContent = ({ method, url, headers, timestamp, body }) => {
  const names = (headers.get('x-contentful-signed-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  const lines: string[] = []
  for (const name of names.sort()) {
    const value = name === 'x-contentful-timestamp' ? timestamp : headers.get(name)
    if (value === null) return [undefined]
    lines.push(`${name}:${value.trim()}`)
  }
  return [`${method}\n${getPath(url)}\n${lines.join(';')}\n`, body]
}

/** The official receiver escapes the query as a whole, and then escapes the path with this query again. */
function getPath(url: string): string {
  const [path = '', query] = url.slice(url.indexOf('/', url.indexOf('//') + 2)).split('?')
  return encodeURI(query === undefined ? path : `${path}?${encodeURIComponent(query)}`)
}
