import { createVendorApi, readAnswer } from '@sallyport/internal/vendor-api'
import { readPages } from '@sallyport/internal/vendor-pages'
import type { FeedSource } from '@sallyport/webhooks/reconcile'
import * as z from 'zod'
import { divide, mostPages, settledMs, toBody, type SourceOptions } from './service-api.ts'

const page = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1).max(200),
      occurred_at: z.iso.datetime({ offset: true }),
      payload: z.looseObject({ event_id: z.string().min(1).max(200) }),
    }),
  ),
  meta: z.object({ pagination: z.object({ has_more: z.boolean() }) }),
})

const listedMs = 90 * 86_400_000

/**
 * Creates the source of notifications at Paddle Billing that were not delivered. Paddle lists those of the last 90 days.
 *
 * The token is an API key with the permission `notification.read`.
 *
 * @param options `destination` is the id of the notification destination, `ntfset_…`. @default all destinations
 * @throws TypeError for a base URL in another form
 * @see https://developer.paddle.com/api-reference/notifications/list-notifications
 */
export function reconcilePaddle({
  token,
  destination,
  name = 'paddle',
  endpoint,
  baseUrl = 'https://api.paddle.com',
  fetch,
  now,
}: SourceOptions & { readonly destination?: string }): FeedSource {
  const api = createVendorApi({ baseUrl, token, fetch, now, maximumBytes: 32 * 1024 * 1024 })
  return {
    ...{ name, provider: 'paddle', endpoint },
    async *list({ since, until, signal, checked }) {
      const start = Math.max(since, until - listedMs)
      for (const { from, to } of divide(start, until - settledMs)) {
        const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
        const status = 'not_attempted,needs_retry,failed'
        const query = { ...times, status, notification_setting_id: destination, per_page: 200 }
        const pages = readPages(api, 'notifications', {
          ...{ query, most: mostPages, signal },
          read: (body) => readAnswer(page, body),
          next({ data, meta }) {
            const last = meta.pagination.has_more ? data.at(-1) : undefined
            return last && { ...query, after: last.id }
          },
        })
        for await (const { data } of pages)
          for (const { payload, occurred_at } of data)
            yield { id: payload.event_id, at: Date.parse(occurred_at), body: toBody(payload) }
        await checked(to)
      }
    },
  }
}
