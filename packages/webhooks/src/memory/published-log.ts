import { integerOption } from '@sallyport/internal/options'
import type { InternalEvent } from '../ports/event.ts'
import type { PublishedEvent, PublishedQuery, Route } from '../ports/ports.ts'
import type { Item } from './inbox-item.ts'
import { Ring } from './ring.ts'

/** One entry of the log. */
export interface Published {
  event: InternalEvent
  readonly route: Route
  readonly publishedAt: number
  /** Whose publication it was; none once its record was pruned. */
  item: Item | undefined
}

/** The newest published events, by their sequence. */
export class PublishedLog {
  readonly #ring: Ring<Published>

  constructor(capacity: number) {
    this.#ring = new Ring(integerOption('published', capacity, 1))
  }

  /** How many events were ever published. */
  get total(): number {
    return this.#ring.last
  }

  /** Adds a publication and gives back the one that had to make room. */
  push(published: Published): Published | undefined {
    return this.#ring.push(published)
  }

  list(query: PublishedQuery): PublishedEvent[] {
    const { offset = 0, limit, after = 0, before = 0 } = query
    for (const [name, count] of Object.entries({ offset, limit, after, before }))
      integerOption(name, count, 0)
    const found: PublishedEvent[] = []
    let skipped = 0
    for (const published of this.#matching(query)) {
      if (found.length >= limit) break
      if (skipped < offset) skipped++
      else found.push(published)
    }
    return found
  }

  count(query: Pick<PublishedQuery, 'provider' | 'name'>): number {
    return Array.from(this.#matching(query), () => 1).length
  }

  *#matching({ before, ...query }: Omit<PublishedQuery, 'limit'>): Generator<PublishedEvent> {
    if (before === undefined) yield* this.#following(query)
    else yield* [...this.#following(query)].filter(({ sequence }) => sequence < before).reverse()
  }

  *#following({ after = 0, provider, name }: Omit<PublishedQuery, 'limit'>): Generator<PublishedEvent> {
    let sequence = Math.max(after, this.#ring.first - 1)
    for (const published of this.#ring.after(after)) {
      sequence++
      const { event, route, publishedAt, item } = published
      if (item === undefined) continue
      if (provider !== undefined && event.source.provider !== provider) continue
      if (name !== undefined && event.name !== name) continue
      yield { sequence, event, route, publishedAt }
    }
  }
}
