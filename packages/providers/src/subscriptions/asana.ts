import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, read, readItems } from './api.ts'

const gid = z.string().regex(/^\d{1,32}$/)
const word = z.string().regex(/^\w{1,64}$/)

const parameters = z.strictObject({
  workspace: gid,
  /** The id of the project, task or other resource. */
  resource: gid,
  /** Such as `{ resource_type: 'task', action: 'added' }`. A team, a portfolio and a workspace need filters. */
  filters: z
    .array(
      z.strictObject({
        resource_type: word.optional(),
        resource_subtype: word.optional(),
        action: z.enum(['added', 'changed', 'deleted', 'removed', 'undeleted']).optional(),
        fields: z.array(word).min(1).max(50).optional(),
      }),
    )
    .min(1)
    .max(50)
    .optional(),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const webhook = z.object({ gid, target: z.string(), active: z.boolean() })
const list = z.object({
  data: z.array(webhook),
  next_page: z.object({ offset: z.string().max(4096) }).nullish(),
})
const created = z.object({ data: z.object({ gid }), 'X-Hook-Secret': z.string().min(1).max(512) })

const path = 'webhooks'
const open = (context: Context) => connect(context, { baseUrl: 'https://app.asana.com/api/1.0' })

const withoutQuery = (target: string) => target.split('?', 1)[0]

/**
 * Asana: a webhook of a resource. Asana creates the secret, sends it in a handshake during the creation, and returns it. Asana
 * refuses a second webhook with the same target: a random query makes each target unique. The token is a personal access token, or that of
 * an OAuth app with `webhooks:read`, `webhooks:write` and `webhooks:delete`.
 *
 * @see https://developers.asana.com/docs/webhooks-guide
 * @see https://developers.asana.com/reference/createwebhook
 * @see https://github.com/Asana/node-asana/issues/156
 */
export const asana: SubscriptionService<z.output<typeof parameters>> = {
  name: 'asana',
  secret: 'created',
  parameters,
  async list(context, known) {
    const { workspace, resource } = context.parameters
    const first = `${path}?${new URLSearchParams({ workspace, resource, limit: '100' }).toString()}`
    const found = await readItems(open(context), first, {
      read: (body) => read(list, body),
      items: ({ data }) => data,
      next: ({ next_page: next }) =>
        next ? `${first}&offset=${encodeURIComponent(next.offset)}` : undefined,
      signal: context.signal,
    })
    return found
      .filter((one) => withoutQuery(one.target) === context.address || one.gid === known?.id)
      .map((one) => ({ id: one.gid, isDisabled: !one.active }))
  },
  async create(context) {
    const { resource, filters } = context.parameters
    const target = `${context.address}?webhook=${crypto.randomUUID()}`
    const body = { data: { resource, target, ...(filters && { filters }) } }
    const answer = await open(context)(path, { method: 'POST', body, signal: context.signal })
    const { data, 'X-Hook-Secret': secret } = read(created, answer.body)
    return { id: data.gid, secret }
  },
  async remove(context, { id }) {
    await deleteOnce(open(context)(`${path}/${id}`, { method: 'DELETE', signal: context.signal }))
  },
}
