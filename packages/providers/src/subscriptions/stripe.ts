import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, names, read, readItems } from './api.ts'

const parameters = z.strictObject({
  /** Such as `invoice.paid`, or `*`. */
  events: names,
  /** The version of the events, such as `2025-09-30.clover`. */
  apiVersion: z
    .string()
    .regex(/^[\w.-]{1,40}$/)
    .optional(),
  /** Whether the webhook is that of connected accounts. */
  connect: z.boolean().optional(),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const endpoint = z.object({ id: z.string(), url: z.string(), status: z.string() })
const list = z.object({ data: z.array(endpoint), has_more: z.boolean() })
const created = z.object({ id: z.string(), secret: z.string() })

const path = 'webhook_endpoints'
const open = (context: Context) => connect(context, { baseUrl: 'https://api.stripe.com/v1' })

function toForm({ address, parameters: { events } }: Context): URLSearchParams {
  const form = new URLSearchParams({ url: address })
  for (const name of events) form.append('enabled_events[]', name)
  return form
}

/**
 * Stripe: webhook endpoints. Stripe returns the secret at the creation only. The token is a secret key, or a restricted key
 * with the write permission for webhook endpoints.
 *
 * @see https://docs.stripe.com/api/webhook_endpoints
 */
export const stripe: SubscriptionService<z.output<typeof parameters>> = {
  name: 'stripe',
  secret: 'created',
  parameters,
  async list(context, known) {
    const found = await readItems(open(context), `${path}?limit=100`, {
      read: (body) => read(list, body),
      items: ({ data }) => data,
      next({ data, has_more: hasMore }) {
        const last = data.at(-1)
        return hasMore && last ? `${path}?limit=100&starting_after=${encodeURIComponent(last.id)}` : undefined
      },
      signal: context.signal,
    })
    return found
      .filter(({ id, url }) => url === context.address || id === known?.id)
      .map(({ id, status }) => ({ id, isDisabled: status !== 'enabled' }))
  },
  async create(context) {
    const { apiVersion, connect: isConnect } = context.parameters
    const form = toForm(context)
    if (apiVersion !== undefined) form.set('api_version', apiVersion)
    if (isConnect !== undefined) form.set('connect', String(isConnect))
    const answer = await open(context)(path, { method: 'POST', body: form, signal: context.signal })
    return read(created, answer.body)
  },
  async repair(context, { id }) {
    const form = toForm(context)
    form.set('disabled', 'false')
    await open(context)(`${path}/${id}`, { method: 'POST', body: form, signal: context.signal })
    return { id }
  },
  async remove(context, { id }) {
    await deleteOnce(open(context)(`${path}/${id}`, { method: 'DELETE', signal: context.signal }))
  },
}
