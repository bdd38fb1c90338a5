import { VendorApiError } from '@sallyport/internal/vendor-api'
import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, read, readItems, requireSecret } from './api.ts'

const parameters = z.strictObject({
  /** Such as `users/…/messages`. */
  resource: z.string().min(1).max(1000),
  /** Such as `created,updated`. */
  changeType: z.string().regex(/^(?:created|updated|deleted)(?:,(?:created|updated|deleted)){0,2}$/),
  /**
   * How long a subscription lasts; Microsoft limits the time by the resource.
   *
   * @default 4,230 minutes, and 60 minutes for presence and messages of Teams
   */
  lifetimeMinutes: z.int().min(45).max(43_200).optional(),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const subscription = z.object({
  id: z.string(),
  resource: z.string(),
  changeType: z.string().optional(),
  notificationUrl: z.string(),
  expirationDateTime: z.iso.datetime({ offset: true }),
})
const renewed = subscription.pick({ id: true, expirationDateTime: true })
const list = z.object({ value: z.array(subscription), '@odata.nextLink': z.string().optional() })

const path = 'subscriptions'
const open = (context: Context) => connect(context, { baseUrl: 'https://graph.microsoft.com/v1.0' })

/** A part is left over, because the clock of Microsoft can differ. */
function planExpiration({ parameters: { resource, lifetimeMinutes }, now }: Context): string {
  const isShort = /(?:^|\/)(?:presences|chats|channels|getAllMessages)(?:[/(]|$)/.test(resource)
  const minutes = lifetimeMinutes ?? (isShort ? 60 : 4230)
  return new Date(now() + minutes * 60_000 * 0.9).toISOString()
}

const toRegistration = ({ id, expirationDateTime }: z.output<typeof renewed>) => ({
  id,
  expiresAt: Date.parse(expirationDateTime),
})

async function get(context: Context, id: string) {
  try {
    const answer = await open(context)(`${path}/${id}`, { signal: context.signal })
    return toRegistration(read(subscription, answer.body))
  } catch (error) {
    if (error instanceof VendorApiError && error.status === 404) return undefined
    throw error
  }
}

/**
 * Microsoft Graph: a subscription to the changes of a resource. It is renewed before it expires, and when a lifecycle
 * notification asks for it. A `missed` notification is an event for your handlers: read the changes with the API then.
 *
 * @see https://learn.microsoft.com/en-us/graph/api/resources/subscription?view=graph-rest-1.0
 * @see https://learn.microsoft.com/graph/change-notifications-lifecycle-events
 */
export const microsoftGraph: SubscriptionService<z.output<typeof parameters>> = {
  name: 'microsoft-graph',
  secret: 'endpoint',
  parameters,
  renewOn: ['lifecycle.reauthorizationRequired', 'lifecycle.subscriptionRemoved'],
  async list(context, known) {
    const { address, parameters: wanted, signal } = context
    // An application can have thousands of subscriptions.
    const shown = known && (await get(context, known.id))
    if (shown) return [shown]
    const found = await readItems(open(context), path, {
      read: (body) => read(list, body),
      items: ({ value }) => value,
      next: (page) => page['@odata.nextLink'],
      signal,
    })
    const isSame = (one: z.output<typeof subscription>) =>
      one.notificationUrl === address && one.resource === wanted.resource
    return found.filter(isSame).map(toRegistration)
  },
  async create(context) {
    const { address, parameters: wanted, signal } = context
    const body = {
      changeType: wanted.changeType,
      notificationUrl: address,
      lifecycleNotificationUrl: address,
      resource: wanted.resource,
      expirationDateTime: planExpiration(context),
      clientState: requireSecret(context, /^[^]{1,128}$/),
    }
    const answer = await open(context)(path, { method: 'POST', body, signal })
    return toRegistration(read(subscription, answer.body))
  },
  async renew(context, { id }) {
    const body = { expirationDateTime: planExpiration(context) }
    const answer = await open(context)(`${path}/${id}`, { method: 'PATCH', body, signal: context.signal })
    // The answer of Microsoft's OpenAPI document is empty.
    return toRegistration(answer.body === undefined ? { id, ...body } : read(renewed, answer.body))
  },
  async remove(context, { id }) {
    await deleteOnce(open(context)(`${path}/${id}`, { method: 'DELETE', signal: context.signal }))
  },
}
