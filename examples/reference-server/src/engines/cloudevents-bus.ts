import { Buffer } from 'node:buffer'
import type { BusEngine } from './engine.ts'
import { parseHttpAddress } from './engine-url.ts'
import { createOriginPing } from './http-ping.ts'
import { monitorPublisher } from './monitored-publisher.ts'

/** A receiver of CloudEvents over HTTP, one event per request. A user and a password become Basic authentication. */
export const cloudEventsBus: BusEngine = {
  form: 'cloudevents+https://user:password@host/path',
  accepts: (url) => parseCloudEventsAddress(url.href) !== undefined,
  async open(address, context) {
    const parts = parseCloudEventsAddress(address)
    if (parts === undefined) throw new TypeError('The address for CloudEvents is invalid')
    const { createCloudEventsPublisher } = await import('@sallyport/cloudevents')
    const publisher = createCloudEventsPublisher({ ...parts, timeoutMs: context.timeoutMs })
    return {
      publisher: monitorPublisher(publisher, context),
      ping: createOriginPing(parts.url),
      close: () => Promise.resolve(),
    }
  },
}

function parseCloudEventsAddress(
  address: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined {
  const url = parseHttpAddress(address)
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
