import type { IncomingMessage } from 'node:http'
import type { DeliveryHeaders } from '@sallyport/webhooks'

/**
 * The headers of a Node request with every value of a name, as fetch shows them.
 *
 * `request.headers` keeps only the first of several `Authorization` or `Content-Type` headers, and so hides a second.
 *
 * They stay in the list that Node has made: a map of them would take memory for as long as the body is awaited.
 */
export class RequestHeaders implements DeliveryHeaders {
  /** Names and values take turns. */
  readonly #list: readonly string[]

  constructor({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
    this.#list = rawHeaders
  }

  get(name: string): string | null {
    const wanted = name.toLowerCase()
    let found: string | null = null
    for (let index = 0; index + 1 < this.#list.length; index += 2) {
      const given = this.#list[index] as string
      // Most names are told apart by their length alone.
      if (given.length === wanted.length && given.toLowerCase() === wanted)
        found = joined(found, this.#list[index + 1] as string)
    }
    return found
  }

  [Symbol.iterator](): MapIterator<[name: string, value: string]> {
    const folded = new Map<string, string>()
    for (let index = 0; index + 1 < this.#list.length; index += 2) {
      const name = (this.#list[index] as string).toLowerCase()
      folded.set(name, joined(folded.get(name), this.#list[index + 1] as string))
    }
    return folded[Symbol.iterator]()
  }
}

const joined = (before: string | null | undefined, value: string): string =>
  before == null ? value : `${before}, ${value}`
