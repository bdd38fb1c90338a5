import type { BusEngine } from './engine.ts'
import { parseHttpAddress } from './engine-url.ts'
import { createOriginPing } from './http-ping.ts'
import { monitorPublisher } from './monitored-publisher.ts'

/** The path of the event API, then the key. */
const eventPath = /^(.*)\/e\/([^/]+)$/

/** The event API of Inngest, or of a compatible server. */
export const inngestBus: BusEngine = {
  form: 'inngest+https://host/e/KEY',
  accepts: (url) => parseInngestAddress(url.href) !== undefined,
  async open(address, context) {
    const parts = parseInngestAddress(address)
    if (parts === undefined) throw new TypeError('The address of Inngest has no event key')
    const { createInngestPublisher } = await import('@sallyport/inngest')
    const publisher = createInngestPublisher({ ...parts, timeoutMs: context.timeoutMs })
    return {
      publisher: monitorPublisher(publisher, context),
      ping: createOriginPing(parts.url),
      close: () => Promise.resolve(),
    }
  },
}

function parseInngestAddress(address: string): { readonly url: string; readonly key: string } | undefined {
  const url = parseHttpAddress(address)
  const [, path, key] = eventPath.exec(url?.pathname ?? '') ?? []
  if (url === undefined || path === undefined || key === undefined) return undefined
  if (url.search !== '' || url.username !== '' || url.password !== '') return undefined
  try {
    return { url: url.origin + path, key: decodeURIComponent(key) }
  } catch {
    return undefined
  }
}
