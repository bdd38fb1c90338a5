/** Reports whether an `Accept-Encoding` header names gzip with a quality above 0. */
export function acceptsGzip(header = ''): boolean {
  return header.split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return coding === 'gzip' && Number(quality) > 0
  })
}
