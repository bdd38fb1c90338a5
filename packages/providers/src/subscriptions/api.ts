import {
  createVendorApi,
  getNextLink,
  VendorApiError,
  type VendorAnswer,
  type VendorApi,
  type VendorApiOptions,
} from '@sallyport/internal/vendor-api'
import type { SubscriptionContext } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'

export { readAnswer as read } from '@sallyport/internal/vendor-api'

/** Creates a client that sends the credential of a subscription. */
export function connect(
  { token, fetch, now }: Pick<SubscriptionContext, 'token' | 'fetch' | 'now'>,
  options: Pick<VendorApiOptions, 'baseUrl' | 'headers'>,
): VendorApi {
  return createVendorApi({ ...options, token, fetch, now })
}

/** A part of a list would hide the subscription, and another one would be created. */
const mostPages = 100

/** Says that a list has more subscriptions than are read. */
export const tooMany = () =>
  new VendorApiError('TOO_MANY', 'The service has more subscriptions than are read')

/**
 * Reads all pages of a list.
 *
 * @param next returns the address of the next page; undefined for the last one
 * @throws VendorApiError `TOO_MANY`
 */
export async function readPages<Item>(
  api: VendorApi,
  first: string,
  {
    items,
    next = ({ headers }) => getNextLink(headers),
    signal,
  }: {
    readonly items: (body: unknown) => readonly Item[]
    readonly next?: (answer: VendorAnswer) => string | undefined
    readonly signal: AbortSignal
  },
): Promise<readonly Item[]> {
  const found: Item[] = []
  let path: string | undefined = first
  for (let page = 0; path !== undefined; page++) {
    if (page === mostPages) throw tooMany()
    const answer: VendorAnswer = await api(path, { signal })
    found.push(...items(answer.body))
    path = next(answer)
  }
  return found
}

/** Ignores that a service does not have what is to be deleted. */
export async function deleteOnce(deleting: Promise<unknown>): Promise<void> {
  try {
    await deleting
  } catch (error) {
    if (!(error instanceof VendorApiError && (error.status === 404 || error.status === 410))) throw error
  }
}

/**
 * Returns the newest secret, which a service accepts.
 *
 * @throws VendorApiError `INVALID_SECRET`
 */
export function requireSecret({ secrets: [secret = ''] }: SubscriptionContext, accepted: RegExp): string {
  if (accepted.test(secret)) return secret
  throw new VendorApiError('INVALID_SECRET', 'The service does not accept the secret of the endpoint')
}

/** Names of events. */
export const names = z.array(z.string().min(1).max(128)).min(1).max(500)

/** The address of an API that customers can host. */
export const host = z.url({ protocol: /^https?$/ }).max(255)
