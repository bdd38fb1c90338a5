import type { HttpReading } from '@sallyport/webhooks/http'

/**
 * What an answer of the event API says: `{ ids, status }`. With an error, `ids` has those that were taken before it.
 *
 * @throws TypeError when it is nothing that Inngest says
 */
export function readAnswer(body: string): HttpReading {
  const answer: unknown = JSON.parse(body)
  if (typeof answer !== 'object' || answer === null) throw new TypeError('Not an answer of Inngest')
  const { ids, status } = answer as { readonly ids?: unknown; readonly status?: unknown }
  const taken = Array.isArray(ids) ? ids.map((id) => typeof id === 'string' && id !== '') : []
  return { taken, ...(isStatus(status) && { status }) }
}

const isStatus = (status: unknown): status is number =>
  typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599
