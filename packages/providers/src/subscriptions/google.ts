import { VendorApiError, type VendorApi } from '@sallyport/internal/vendor-api'
import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, listKnown, read, requireSecret } from './api.ts'

interface Watched<Parameters> {
  readonly name: string
  readonly baseUrl: string
  readonly parameters: z.ZodType<Parameters>
  /** Returns the path of the request that watches the resource. */
  readonly findPath: (api: VendorApi, context: SubscriptionContext<Parameters>) => Promise<string> | string
}

const channel = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  resourceId: z.string().regex(/^[\w+/=-]{1,200}$/),
  expiration: z.string().regex(/^\d{1,16}$/),
})

/**
 * Google lists no channels, and extends none. The id of the resource, which ends a channel, is in the answer to its creation
 * only: a channel of a process that was killed then ends at its expiration.
 */
function defineChannels<Parameters>({
  name,
  baseUrl,
  parameters,
  findPath,
}: Watched<Parameters>): SubscriptionService<Parameters> {
  return {
    name,
    secret: 'endpoint',
    parameters,
    list: listKnown,
    async create(context) {
      const api = connect(context, { baseUrl })
      const body = {
        id: crypto.randomUUID(),
        type: 'web_hook',
        address: context.address,
        token: requireSecret(context, /^[\x21-\x7e]{1,256}$/),
      }
      const path = await findPath(api, context)
      const answer = await api(path, { method: 'POST', body, signal: context.signal })
      const { id, resourceId, expiration } = read(channel, answer.body)
      return { id: `${id} ${resourceId}`, expiresAt: Number(expiration) }
    },
    async remove(context, registration) {
      const [id, resourceId] = registration.id.split(' ')
      const api = connect(context, { baseUrl })
      const request = { method: 'POST', body: { id, resourceId }, signal: context.signal } as const
      await deleteOnce(api('channels/stop', request))
    },
  }
}

const id = z.string().min(1).max(500)

/**
 * Google Calendar: a notification channel of the events of a calendar.
 *
 * @see https://developers.google.com/calendar/api/guides/push
 */
export const googleCalendar = defineChannels({
  name: 'google-calendar',
  baseUrl: 'https://www.googleapis.com/calendar/v3',
  parameters: z.strictObject({ calendar: id }),
  findPath: (_, { parameters }) => `calendars/${encodeURIComponent(parameters.calendar)}/events/watch`,
})

const start = z.object({ startPageToken: z.string().max(500) })

/**
 * Google Drive: a notification channel of a file, or of all changes.
 *
 * @see https://developers.google.com/workspace/drive/api/guides/push
 */
export const googleDrive = defineChannels({
  name: 'google-drive',
  baseUrl: 'https://www.googleapis.com/drive/v3',
  parameters: z.strictObject({ file: id.optional() }),
  async findPath(api, { parameters: { file }, signal }) {
    if (file !== undefined) return `files/${encodeURIComponent(file)}/watch`
    const { startPageToken } = read(start, (await api('changes/startPageToken', { signal })).body)
    if (startPageToken === '') throw new VendorApiError('INVALID_RESPONSE', 'The answer has no token')
    return `changes/watch?pageToken=${encodeURIComponent(startPageToken)}`
  },
})
