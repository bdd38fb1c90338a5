import { Buffer } from 'node:buffer'
import type { BusEngine } from './engine.ts'
import { httpAddressOf } from './http-address.ts'
import { originPing } from './http-ping.ts'
import { watched } from './watched.ts'

/** Whatever takes CloudEvents over HTTP, each in a request of its own; a user and a password are for Basic. */
export const cloudEventsBus: BusEngine = {
  form: 'cloudevents+https://user:password@host/path',
  accepts: (url) => partsOf(url.href) !== undefined,
  async open(address, surroundings) {
    const parts = partsOf(address)
    if (parts === undefined) throw new TypeError('The address for CloudEvents is none')
    const { createCloudEventsPublisher } = await import('@sallyport/cloudevents')
    const publisher = createCloudEventsPublisher({ ...parts, timeoutMs: surroundings.timeoutMs })
    return {
      publisher: watched(publisher, surroundings),
      ping: originPing(parts.url),
      close: () => Promise.resolve(),
    }
  },
}

function partsOf(
  address: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined {
  const url = httpAddressOf(address)
  if (url === undefined) return undefined
  try {
    const credentials = [url.username, url.password].map(decodeURIComponent).join(':')
    url.username = url.password = ''
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
    return { url: url.href, headers: credentials === ':' ? {} : { authorization: basic } }
  } catch {
    return undefined
  }
}
