import { visitPages, type FetchOptions } from './fetch-pages.ts'
import { hashText } from './hash-text.ts'
import { getAddress } from './list-pages.ts'

/** The hashes of the texts of pages by address. */
export type Hashes = Readonly<Record<string, string>>

export interface Comparison {
  /** The pages with another text than before. */
  readonly changed: readonly string[]
  /** The pages that the server does not have any more. */
  readonly gone: readonly string[]
  /** The pages that cannot be read now, or whose text is new at each request. */
  readonly unreadable: readonly string[]
  /** The hashes for the next comparison. A page that cannot be read keeps its hash. */
  readonly hashes: Hashes
}

/**
 * Compares pages with their stored hashes. A page without a hash is recorded. A changed page is read twice: a page with a new
 * text at each request says nothing.
 */
export async function comparePages(
  pages: readonly string[],
  stored: Hashes,
  options: FetchOptions,
): Promise<Comparison> {
  const changed: string[] = []
  const gone: string[] = []
  const unreadable: string[] = []
  const hashes = new Map<string, string>()
  const byAddress = Map.groupBy(pages, getAddress)
  await visitPages([...byAddress.keys()], options, async (address, read) => {
    for (const page of byAddress.get(address) ?? []) {
      const known = stored[page]
      if (known !== undefined) hashes.set(page, known)
      const first = await read(address)
      if ('failure' in first) {
        ;(first.failure === 'gone' ? gone : unreadable).push(page)
        continue
      }
      const hash = hashText(first.text)
      if (hash === known) continue
      const second = await read(address)
      if ('failure' in second || hashText(second.text) !== hash) unreadable.push(page)
      else {
        hashes.set(page, hash)
        if (known !== undefined) changed.push(page)
      }
    }
  })
  return {
    changed: changed.sort(),
    gone: gone.sort(),
    unreadable: unreadable.sort(),
    hashes: Object.fromEntries([...hashes].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}
