import type {
  Registration,
  SubscriptionContext,
  SubscriptionService,
} from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, names, read, readItems, requireSecret } from './api.ts'

const resource = (name: string) =>
  z.string().regex(new RegExp(`^https://api\\.calendly\\.com/${name}/[\\w-]{1,64}$`))

const parameters = z.strictObject({
  /** Such as `https://api.calendly.com/organizations/AAAA`. */
  organization: resource('organizations'),
  /** Limits the events to those of a user. */
  user: resource('users').optional(),
  /** Such as `invitee.created`. */
  events: names,
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const subscription = z.object({
  uri: z.string().regex(/\/webhook_subscriptions\/[\w-]{1,64}$/),
  callback_url: z.string(),
  state: z.string(),
})
const list = z.object({
  collection: z.array(subscription),
  pagination: z.object({ next_page: z.string().nullish() }),
})

const path = 'webhook_subscriptions'
const open = (context: Context) => connect(context, { baseUrl: 'https://api.calendly.com' })
const toId = (uri: string) => uri.slice(uri.lastIndexOf('/') + 1)

const describeScope = ({ organization, user }: Context['parameters']) =>
  user === undefined ? { organization, scope: 'organization' } : { organization, user, scope: 'user' }

async function create(context: Context): Promise<Registration> {
  const { parameters: given, address: url, signal } = context
  const key = requireSecret(context, /^[^]{1,255}$/)
  const body = { url, events: given.events, ...describeScope(given), signing_key: key }
  const answer = await open(context)(path, { method: 'POST', body, signal })
  return { id: toId(read(z.object({ resource: subscription }), answer.body).resource.uri) }
}

async function remove(context: Context, { id }: Registration): Promise<void> {
  await deleteOnce(open(context)(`${path}/${id}`, { method: 'DELETE', signal: context.signal }))
}

/**
 * Calendly: a webhook subscription. The token is a personal access token: Calendly gives a subscription of an OAuth app another
 * signing key.
 *
 * @see https://developer.calendly.com/docs/webhooks/overview
 */
export const calendly: SubscriptionService<z.output<typeof parameters>> = {
  name: 'calendly',
  secret: 'endpoint',
  parameters,
  async list(context, known) {
    const query = new URLSearchParams({ ...describeScope(context.parameters), count: '100' })
    const found = await readItems(open(context), `${path}?${query.toString()}`, {
      read: (body) => read(list, body),
      items: ({ collection }) => collection,
      next: ({ pagination }) => pagination.next_page ?? undefined,
      signal: context.signal,
    })
    return found
      .filter(({ uri, callback_url: url }) => url === context.address || toId(uri) === known?.id)
      .map(({ uri, state }) => ({ id: toId(uri), isDisabled: state !== 'active' }))
  },
  create,
  // Calendly changes no subscription, and refuses a second one with the same address.
  async repair(context, registration) {
    await remove(context, registration)
    return await create(context)
  },
  remove,
}
