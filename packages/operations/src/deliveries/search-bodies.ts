import { Buffer } from 'node:buffer'
import type { DeliveryFilter, DeliveryPosition, DeliverySummary, OperatorInbox } from '@sallyport/webhooks'

/** The deliveries and the time of one search. */
export interface SearchBounds {
  readonly matches: number
  readonly deliveries: number
  readonly forMs: number
}

export interface BodySearch {
  readonly found: readonly DeliverySummary[]
  /** The deliveries that were read, also those without a stored body. */
  readonly searched: number
  /** The last delivery that was read; undefined when no delivery matches the filter. */
  readonly last: DeliverySummary | undefined
  /** Why the search stopped: `end` once all deliveries that match the filter were read. */
  readonly stopped: 'end' | 'matches' | 'deliveries' | 'time'
}

/** The deliveries of a page, which takes as long as one of a few, and the bodies that are in memory at once. */
const pageSize = 100
const portion = 10

/** Finds the deliveries whose stored bodies contain a text, newest first. */
export async function searchBodies(
  inbox: Pick<OperatorInbox, 'list' | 'get'>,
  text: string,
  filter: DeliveryFilter,
  after: DeliveryPosition | undefined,
  bounds: SearchBounds,
): Promise<BodySearch> {
  const contains = createMatcher(text)
  const startedAt = performance.now()
  const found: DeliverySummary[] = []
  let searched = 0
  let last: DeliverySummary | undefined
  for (;;) {
    const from = last ?? after
    const page = await inbox.list({ ...filter, ...(from && { after: from }), limit: pageSize })
    for (let start = 0; start < page.length; start += portion) {
      const some = page.slice(start, start + portion)
      const bodies = await Promise.all(
        some.map(async ({ id, bodyState }) => (bodyState === 'stored' ? await inbox.get(id) : undefined)),
      )
      for (const [index, summary] of some.entries()) {
        const body = bodies[index]?.body
        if (body && contains(body)) found.push(summary)
      }
      searched += some.length
      last = some.at(-1) ?? last
      if (page.length < pageSize && start + portion >= page.length) break
      if (found.length >= bounds.matches) return { found, searched, last, stopped: 'matches' }
      if (searched >= bounds.deliveries) return { found, searched, last, stopped: 'deliveries' }
      if (performance.now() - startedAt >= bounds.forMs) return { found, searched, last, stopped: 'time' }
    }
    if (page.length < pageSize) return { found, searched, last, stopped: 'end' }
  }
}

/** Creates a function that finds a text in a body: as it is, escaped as ASCII in JSON, and encoded in a form. */
function createMatcher(text: string): (body: Uint8Array) => boolean {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const encoded = new URLSearchParams([['', text]]).toString().slice(1)
  const forms = [...new Set([text, escaped, encoded])].map((form) => Buffer.from(form))
  return (body) => {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    return forms.some((form) => bytes.includes(form))
  }
}
