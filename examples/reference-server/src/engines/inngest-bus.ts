import type { BusEngine } from './engine.ts'
import { httpAddressOf } from './http-address.ts'
import { originPing } from './http-ping.ts'
import { watched } from './watched.ts'

/** Where the event API is, and behind its last slash the key. */
const eventPath = /^(.*)\/e\/([^/]+)$/

/** The event API of Inngest, or of a server that speaks it. */
export const inngestBus: BusEngine = {
  form: 'inngest+https://host/e/KEY',
  accepts: (url) => partsOf(url.href) !== undefined,
  async open(address, surroundings) {
    const parts = partsOf(address)
    if (parts === undefined) throw new TypeError('The address of Inngest has no event key')
    const { createInngestPublisher } = await import('@sallyport/inngest')
    const publisher = createInngestPublisher({ ...parts, timeoutMs: surroundings.timeoutMs })
    return {
      publisher: watched(publisher, surroundings),
      ping: originPing(parts.url),
      close: () => Promise.resolve(),
    }
  },
}

function partsOf(address: string): { readonly url: string; readonly key: string } | undefined {
  const url = httpAddressOf(address)
  const [, path, key] = eventPath.exec(url?.pathname ?? '') ?? []
  if (url === undefined || path === undefined || key === undefined) return undefined
  if (url.search !== '' || url.username !== '' || url.password !== '') return undefined
  try {
    return { url: url.origin + path, key: decodeURIComponent(key) }
  } catch {
    return undefined
  }
}
