import { isDeepStrictEqual } from 'node:util'
import type {
  Registration,
  SubscriptionContext,
  SubscriptionService,
} from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, read, readItems, requireSecret } from './api.ts'

const parameters = z.strictObject({
  /** The id of the application. */
  clientId: z.string().regex(/^\w{1,64}$/),
  /** Such as `stream.online`. */
  type: z.string().regex(/^[a-z_.]{1,100}$/),
  version: z.string().regex(/^\w{1,20}$/),
  /** Such as `{ broadcaster_user_id: '1234' }`. */
  condition: z
    .record(z.string().max(64), z.string().max(64))
    .refine((terms) => Object.keys(terms).length <= 10, 'Must have at most 10 terms'),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const subscription = z.object({
  id: z.string(),
  status: z.string(),
  type: z.string(),
  version: z.string(),
  condition: z.record(z.string(), z.unknown()),
  transport: z.object({ callback: z.string().optional() }),
})
const list = z.object({
  data: z.array(subscription),
  pagination: z.object({ cursor: z.string().optional() }).optional(),
})

const path = 'eventsub/subscriptions'
const working = ['enabled', 'webhook_callback_verification_pending']

const open = (context: Context) =>
  connect(context, {
    baseUrl: 'https://api.twitch.tv/helix',
    headers: (token) => ({ authorization: `Bearer ${token}`, 'client-id': context.parameters.clientId }),
  })

async function create(context: Context): Promise<Registration> {
  const { type, version, condition } = context.parameters
  const transport = {
    method: 'webhook',
    callback: context.address,
    secret: requireSecret(context, /^[\x20-\x7e]{10,100}$/),
  }
  const body = { type, version, condition, transport }
  const answer = await open(context)(path, { method: 'POST', body, signal: context.signal })
  const [created] = read(list, answer.body).data
  return { id: read(subscription, created).id }
}

async function remove(context: Context, { id }: Registration): Promise<void> {
  await deleteOnce(open(context)(path, { method: 'DELETE', query: { id }, signal: context.signal }))
}

/**
 * Twitch: a subscription of EventSub. The token is an app access token.
 *
 * @see https://dev.twitch.tv/docs/api/reference/eventsub.md
 * @see https://dev.twitch.tv/docs/eventsub/manage-subscriptions
 */
export const twitch: SubscriptionService<z.output<typeof parameters>> = {
  name: 'twitch',
  secret: 'endpoint',
  parameters,
  renewOn: ['revocation'],
  async list(context, known) {
    const { type, version, condition } = context.parameters
    // The query has one filter. An application can have thousands of subscriptions of a type.
    const user = Object.values(condition).find((value) => /^\d+$/.test(value))
    const first = `${path}?${user === undefined ? `type=${type}` : `user_id=${user}`}`
    const found = await readItems(open(context), first, {
      read: (body) => read(list, body),
      items: ({ data }) => data,
      next: ({ pagination: { cursor } = {} }) =>
        cursor === undefined ? undefined : `${first}&after=${encodeURIComponent(cursor)}`,
      signal: context.signal,
    })
    const isSame = (one: z.output<typeof subscription>) =>
      one.transport.callback === context.address &&
      one.type === type &&
      one.version === version &&
      isDeepStrictEqual(one.condition, condition)
    return found
      .filter((one) => isSame(one) || one.id === known?.id)
      .map(({ id, status }) => ({ id, isDisabled: !working.includes(status) }))
  },
  create,
  // Twitch changes no subscription, and refuses a second one with the same condition.
  async repair(context, registration) {
    await remove(context, registration)
    return await create(context)
  },
  remove,
}
