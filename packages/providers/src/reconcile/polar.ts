import { createVendorApi, readAnswer } from '@sallyport/internal/vendor-api'
import { readPages } from '@sallyport/internal/vendor-pages'
import type { MissedDelivery, RedeliverySource } from '@sallyport/webhooks/reconcile'
import * as z from 'zod'
import { mostPages, type SourceOptions } from './service-api.ts'

const page = z.object({
  items: z.array(
    z.object({
      created_at: z.iso.datetime({ offset: true }),
      succeeded: z.boolean(),
      webhook_event: z.object({ id: z.uuid(), is_archived: z.boolean().default(false) }),
    }),
  ),
})

/** The most deliveries of a page. */
const pageSize = 100

/**
 * Creates the source of a webhook endpoint at Polar: it lists failed deliveries, and asks for their events again.
 *
 * The token needs the scopes `webhooks:read` and `webhooks:write`.
 *
 * @param options `webhook` is the id of the webhook endpoint. @default all endpoints of the organization
 * @throws TypeError for a base URL in another form
 * @see https://github.com/polarsource/polar/blob/main/server/polar/webhook/endpoints.py
 */
export function reconcilePolar({
  token,
  webhook,
  name = 'polar',
  endpoint,
  baseUrl = 'https://api.polar.sh/v1',
  fetch,
  now,
}: SourceOptions & { readonly webhook?: string }): RedeliverySource {
  const api = createVendorApi({ baseUrl, token, fetch, now, maximumBytes: 32 * 1024 * 1024 })
  return {
    ...{ name, provider: 'polar', endpoint },
    async *list({ since, until, signal }) {
      const attempts: MissedDelivery[] = []
      const times = {
        start_timestamp: new Date(since).toISOString(),
        end_timestamp: new Date(until).toISOString(),
      }
      let number = 1
      const select = () => ({ endpoint_id: webhook, ...times, limit: pageSize, page: number++ })
      const pages = readPages(api, 'webhooks/deliveries', {
        query: select(),
        read: (body) => readAnswer(page, body),
        next: ({ items }) => (items.length < pageSize ? undefined : select()),
        ...{ most: mostPages, signal },
      })
      for await (const { items } of pages)
        for (const { created_at, succeeded, webhook_event } of items) {
          const { id, is_archived } = webhook_event
          // An archived event cannot be sent again.
          if (!is_archived) attempts.push({ id, at: Date.parse(created_at), ref: id, isDelivered: succeeded })
        }
      yield* attempts.sort((one, other) => one.at - other.at)
    },
    async redeliver(ref, signal) {
      await api(`webhooks/events/${ref}/redeliver`, { method: 'POST', signal })
      return false
    },
  }
}
