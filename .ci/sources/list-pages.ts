import type { ServiceFacts } from '@sallyport/webhooks'

interface Entry {
  readonly provider: { readonly name: string }
  readonly facts: Pick<ServiceFacts, 'docs' | 'sources' | 'identity'>
}

/** Lists the pages that declarations cite, sorted by address, with the names of the services that cite them. */
export function listPages(entries: readonly Entry[]): ReadonlyMap<string, readonly string[]> {
  const pages = new Map<string, Set<string>>()
  for (const { provider, facts } of entries) {
    for (const page of [facts.docs, ...facts.sources, facts.identity ?? []].flat()) {
      if (!URL.canParse(page) || !/^https?:$/.test(new URL(page).protocol)) continue
      pages.set(page, (pages.get(page) ?? new Set()).add(provider.name))
    }
  }
  return new Map(
    [...pages]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([page, names]) => [page, [...names]]),
  )
}

/** Returns the address with the text of a page: the page of a file on GitHub has other texts around the file. */
export function getAddress(page: string): string {
  const [, repository, path] = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/blob\/([^?#]+)/.exec(page) ?? []
  return path === undefined ? page : `https://raw.githubusercontent.com/${repository}/${path}`
}
