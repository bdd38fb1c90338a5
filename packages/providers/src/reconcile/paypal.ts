import { createVendorApi, readAnswer } from '@sallyport/internal/vendor-api'
import { readPages } from '@sallyport/internal/vendor-pages'
import type { FeedSource } from '@sallyport/webhooks/reconcile'
import * as z from 'zod'
import { divide, mostPages, settledMs, toBody, type SourceOptions } from './service-api.ts'

const page = z.object({
  events: z
    .array(z.looseObject({ id: z.string().min(1).max(200), create_time: z.iso.datetime({ offset: true }) }))
    .default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
})

const listedMs = 30 * 86_400_000

/**
 * Creates the source of the event notifications of a REST app at PayPal, whether they were delivered or not.
 *
 * The token is an access token of the app.
 *
 * @param options `baseUrl` is `https://api-m.sandbox.paypal.com` for the sandbox
 * @throws TypeError for a base URL in another form
 * @see https://docs.paypal.ai/reference/api/rest/webhooks-events/list-event-notifications
 */
export function reconcilePaypal({
  token,
  name = 'paypal',
  endpoint,
  baseUrl = 'https://api-m.paypal.com',
  fetch,
  now,
}: SourceOptions): FeedSource {
  const api = createVendorApi({ baseUrl, token, fetch, now, maximumBytes: 32 * 1024 * 1024 })
  return {
    ...{ name, provider: 'paypal', endpoint },
    async *list({ since, until, signal, checked }) {
      const start = Math.max(since, until - listedMs)
      for (const { from, to } of divide(start, until - settledMs)) {
        const pages = readPages(api, 'v1/notifications/webhooks-events', {
          query: { page_size: 20, start_time: formatTime(from), end_time: formatTime(to) },
          read: (body) => readAnswer(page, body),
          next: readNext,
          ...{ most: mostPages, signal },
        })
        for await (const { events } of pages)
          for (const event of events)
            yield { id: event.id, at: Date.parse(event.create_time), body: toBody(event) }
        await checked(to)
      }
    },
  }
}

/** Returns the query of the next page. The link can name another host of PayPal, which gets no token. */
function readNext({ links }: z.output<typeof page>): Readonly<Record<string, string>> | undefined {
  const next = links.find(({ rel }) => rel === 'next')
  const url = next && URL.parse(next.href)
  return url ? Object.fromEntries(url.searchParams) : undefined
}

/** Formats a time in whole seconds. */
const formatTime = (at: number) => new Date(at).toISOString().replace(/\.\d+/, '')
