import type { DeliveryHeaders, SignatureScheme } from '@sallyport/webhooks'

/**
 * Returns a scheme with its signature in another header, for a compatible service.
 *
 * @throws TypeError for an invalid header name
 */
export function renameHeader(scheme: SignatureScheme, header: string): SignatureScheme {
  const [own = '', ...others] = scheme.headers
  const name = header.toLowerCase()
  if (name === own) return scheme
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`Invalid header name: "${header}"`)
  const rename = (headers: DeliveryHeaders): DeliveryHeaders => ({
    get: (one) => headers.get(one.toLowerCase() === own ? name : one),
    *[Symbol.iterator]() {
      for (const [one, value] of headers) if (one !== own) yield [one === name ? own : one, value] as const
    },
  })
  return {
    ...scheme,
    headers: [name, ...others],
    verify: (delivery, ...rest) => scheme.verify({ ...delivery, headers: rename(delivery.headers) }, ...rest),
    async sign(...request) {
      const { [own]: signature = '', ...signed } = await scheme.sign(...request)
      return { [name]: signature, ...signed }
    },
  }
}
