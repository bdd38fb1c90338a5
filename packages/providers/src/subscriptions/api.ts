import {
  createVendorApi,
  VendorApiError,
  type VendorApi,
  type VendorApiOptions,
} from '@sallyport/internal/vendor-api'
import { readPages, type PagesOptions } from '@sallyport/internal/vendor-pages'
import type { Registration, SubscriptionContext } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'

export { readAnswer as read } from '@sallyport/internal/vendor-api'
export { tooMany } from '@sallyport/internal/vendor-pages'

/** Creates a client that sends the credential of a subscription. */
export function connect(
  { token, fetch, now }: Pick<SubscriptionContext, 'token' | 'fetch' | 'now'>,
  options: Pick<VendorApiOptions, 'baseUrl' | 'headers'>,
): VendorApi {
  return createVendorApi({ ...options, token, fetch, now })
}

/** A part of a list would hide the subscription, and another one would be created. */
const mostPages = 100

/** Reads all items of a list. @throws VendorApiError `TOO_MANY` */
export async function readItems<Page, Item>(
  api: VendorApi,
  first: string,
  {
    items,
    ...options
  }: Omit<PagesOptions<Page>, 'most'> & { readonly items: (page: Page) => readonly Item[] },
): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const page of readPages(api, first, { ...options, most: mostPages })) found.push(...items(page))
  return found
}

/** Lists what a service without a list has: the last subscription until it expires. */
export const listKnown = (
  { now }: Pick<SubscriptionContext, 'now'>,
  known: Registration | undefined,
): Promise<readonly Registration[]> =>
  Promise.resolve(known?.expiresAt !== undefined && known.expiresAt > now() ? [known] : [])

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
