import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, names, read, readItems } from './api.ts'

const parameters = z.strictObject({
  /** Such as `acme` of `acme.zendesk.com`. */
  subdomain: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  /** Such as `zen:event-type:user.created`. */
  events: names,
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const webhook = z.object({ id: z.string(), endpoint: z.string(), status: z.string() })
const list = z.object({
  webhooks: z.array(webhook),
  meta: z.object({ has_more: z.boolean(), after_cursor: z.string().nullish() }).optional(),
})

const path = 'webhooks'
const first = `${path}?page[size]=100`
const open = (context: Context) =>
  connect(context, { baseUrl: `https://${context.parameters.subdomain}.zendesk.com/api/v2` })

const describe = ({ address, parameters: { events } }: Context) => ({
  webhook: {
    name: 'Sallyport',
    endpoint: address,
    http_method: 'POST',
    request_format: 'json',
    status: 'active',
    subscriptions: events,
  },
})

/**
 * Zendesk: a webhook with subscriptions to events. Zendesk creates the secret. The token is an access token of OAuth.
 *
 * @see https://developer.zendesk.com/api-reference/webhooks/webhooks-api/webhooks
 */
export const zendesk: SubscriptionService<z.output<typeof parameters>> = {
  name: 'zendesk',
  secret: 'created',
  parameters,
  async list(context, known) {
    const found = await readItems(open(context), first, {
      read: (body) => read(list, body),
      items: ({ webhooks }) => webhooks,
      next({ meta: { has_more: hasMore, after_cursor: after } = { has_more: false } }) {
        return hasMore && after ? `${first}&page[after]=${encodeURIComponent(after)}` : undefined
      },
      signal: context.signal,
    })
    return found
      .filter(({ id, endpoint }) => endpoint === context.address || id === known?.id)
      .map(({ id, status }) => ({ id, isDisabled: status !== 'active' }))
  },
  async create(context) {
    const { signal } = context
    const api = open(context)
    const answer = await api(path, { method: 'POST', body: describe(context), signal })
    const { id } = read(z.object({ webhook: z.object({ id: z.string() }) }), answer.body).webhook
    const shown = await api(`${path}/${id}/signing_secret`, { signal })
    const secret = z.object({ signing_secret: z.object({ secret: z.string() }) })
    return { id, secret: read(secret, shown.body).signing_secret.secret }
  },
  async repair(context, { id }) {
    const request = { method: 'PUT', body: describe(context), signal: context.signal } as const
    await open(context)(`${path}/${id}`, request)
    return { id }
  },
  async remove(context, { id }) {
    await deleteOnce(open(context)(`${path}/${id}`, { method: 'DELETE', signal: context.signal }))
  },
}
