import { getNextLink, VendorApiError, type VendorApi, type VendorRequest } from './vendor-api.ts'

type Query = NonNullable<VendorRequest['query']>

export interface PagesOptions<Page> extends Pick<VendorRequest, 'query' | 'signal'> {
  readonly read: (body: unknown) => Page
  /** Returns the address of the next page, or its query; undefined for the last one. @default the link in the headers */
  readonly next?: ((page: Page) => string | Query | undefined) | undefined
  /** The most pages to read. */
  readonly most: number
}

/** Says that a list has more pages than are read. */
export const tooMany = (): VendorApiError =>
  new VendorApiError('TOO_MANY', 'The service has more pages than are read')

/** Reads the pages of a list. @throws VendorApiError `TOO_MANY` instead of the first page over the limit */
export async function* readPages<Page>(
  api: VendorApi,
  path: string,
  { query: first, read, next, most, signal }: PagesOptions<Page>,
): AsyncGenerator<Page, void, void> {
  let address = path
  let query = first
  for (let count = 1; ; count++) {
    if (count > most) throw tooMany()
    const { headers, body } = await api(address, { ...(query && { query }), signal })
    const page = read(body)
    yield page
    const following = next ? next(page) : getNextLink(headers)
    if (following === undefined) return
    if (typeof following === 'string') [address, query] = [following, undefined]
    else query = following
  }
}
