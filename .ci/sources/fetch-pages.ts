import { setTimeout as sleep } from 'node:timers/promises'

export interface FetchOptions {
  /** The time between two requests to one host, in milliseconds. */
  readonly intervalMs: number
  /** How many hosts are read at the same time. */
  readonly hosts: number
  /** The time for one page, in milliseconds. */
  readonly timeoutMs: number
  /** The largest page in bytes. */
  readonly maximumBytes: number
  /** The time for all pages, in milliseconds. */
  readonly deadlineMs: number
}

/** The text of a page, or the reason why it cannot be read. `gone` is a status of 404 or 410. */
type Fetched = { readonly text: string } | { readonly failure: 'gone' | 'unavailable' }

/** Reads one page. */
export type ReadPage = (address: string) => Promise<Fetched>

/**
 * Visits each address: hosts in parallel, the addresses of one host one after another. `visit` may read its address several
 * times; each read waits until the host may be asked again. After the deadline, reads are `unavailable` without a request.
 */
export async function visitPages(
  addresses: readonly string[],
  options: FetchOptions,
  visit: (address: string, read: ReadPage) => Promise<void>,
): Promise<void> {
  const { intervalMs, deadlineMs } = options
  const end = Date.now() + deadlineMs
  const queues = [...Map.groupBy(addresses, (address) => new URL(address).host).values()]
  const work = async (): Promise<void> => {
    for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
      let next = 0
      const read: ReadPage = async (address) => {
        if (Date.now() >= end) return { failure: 'unavailable' }
        await sleep(Math.max(0, next - Date.now()))
        next = Date.now() + intervalMs
        return fetchPage(address, options)
      }
      for (const address of queue) await visit(address, read)
    }
  }
  await Promise.all(Array.from({ length: options.hosts }, work))
}

async function fetchPage(
  address: string,
  { timeoutMs, maximumBytes }: Pick<FetchOptions, 'timeoutMs' | 'maximumBytes'>,
): Promise<Fetched> {
  try {
    const response = await fetch(address, {
      headers: { 'user-agent': 'sallyport-sources (+https://github.com/sallyport/sallyport)' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      return { failure: response.status === 404 || response.status === 410 ? 'gone' : 'unavailable' }
    }
    const decoder = new TextDecoder()
    let text = ''
    let size = 0
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.length
      // The loop cancels the rest of the body.
      if (size > maximumBytes) return { failure: 'unavailable' }
      text += decoder.decode(chunk, { stream: true })
    }
    return { text: text + decoder.decode() }
  } catch {
    return { failure: 'unavailable' }
  }
}
