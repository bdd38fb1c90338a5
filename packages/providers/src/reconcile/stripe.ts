import { createVendorApi, readAnswer } from '@sallyport/internal/vendor-api'
import { readPages } from '@sallyport/internal/vendor-pages'
import type { FeedSource } from '@sallyport/webhooks/reconcile'
import * as z from 'zod'
import { divide, mostPages, settledMs, toBody, type SourceOptions } from './service-api.ts'

const page = z.object({
  data: z.array(z.looseObject({ id: z.string().min(1).max(200), created: z.int().positive() })),
  has_more: z.boolean(),
})

const maxTypes = 20
const listedMs = 30 * 86_400_000

/**
 * Creates the source of events at Stripe that at least one webhook endpoint did not receive. Stripe lists the events of the last
 * 30 days.
 *
 * The token is a restricted key with read access to events.
 *
 * @param options `types` are the kinds of events, at most 20. @default all kinds. `all` also reads events that were delivered.
 *   @default false
 * @throws TypeError for a base URL in another form, and too many types
 * @see https://docs.stripe.com/webhooks/process-undelivered-events
 */
export function reconcileStripe({
  token,
  types = [],
  all = false,
  name = 'stripe',
  endpoint,
  baseUrl = 'https://api.stripe.com',
  fetch,
  now,
}: SourceOptions & { readonly types?: readonly string[]; readonly all?: boolean }): FeedSource {
  if (types.length > maxTypes) throw new TypeError(`Stripe selects at most ${maxTypes} types of events`)
  const api = createVendorApi({ baseUrl, token, fetch, now, maximumBytes: 32 * 1024 * 1024 })
  const selected = Object.fromEntries(types.map((type, index) => [`types[${index}]`, type]))

  return {
    ...{ name, provider: 'stripe', endpoint },
    async *list({ since, until, signal, checked }) {
      const start = Math.max(since, until - listedMs)
      for (const { from, to } of divide(start, until - settledMs)) {
        const times = { 'created[gte]': Math.floor(from / 1000), 'created[lte]': Math.ceil(to / 1000) }
        const query = { limit: 100, ...times, ...(!all && { delivery_success: false }), ...selected }
        const pages = readPages(api, 'v1/events', {
          ...{ query, most: mostPages, signal },
          read: (body) => readAnswer(page, body),
          next({ data, has_more }) {
            const last = has_more ? data.at(-1) : undefined
            return last && { ...query, starting_after: last.id }
          },
        })
        for await (const { data } of pages)
          for (const event of data) yield { id: event.id, at: event.created * 1000, body: toBody(event) }
        await checked(to)
      }
    },
  }
}
