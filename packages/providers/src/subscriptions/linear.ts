import { VendorApiError } from '@sallyport/internal/vendor-api'
import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, names, read, tooMany } from './api.ts'

const parameters = z.strictObject({
  /** The id of a team. @default all public teams */
  team: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  /** Such as `Issue` and `Comment`. */
  resourceTypes: names,
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const webhook = z.object({ id: z.string(), url: z.string().nullish(), enabled: z.boolean() })
const list = z.object({ nodes: z.array(webhook), pageInfo: z.object({ hasNextPage: z.boolean() }) })
const done = z.object({ success: z.literal(true) })

/** @throws VendorApiError `REFUSED` for an error in the answer */
async function query(context: Context, text: string, variables: object): Promise<Record<string, unknown>> {
  const api = connect(context, {
    baseUrl: 'https://api.linear.app',
    // A personal key has no scheme.
    headers: (token) => ({ authorization: token.startsWith('lin_api_') ? token : `Bearer ${token}` }),
  })
  const body = { query: text, variables }
  const answer = await api('graphql', { method: 'POST', body, signal: context.signal })
  const { data } = read(z.object({ data: z.record(z.string(), z.unknown()).nullish() }), answer.body)
  if (!data) throw new VendorApiError('REFUSED', 'The service refused the request')
  return data
}

/**
 * Linear: the webhook of a team or of all public teams. Linear creates the secret. The token is the key of an administrator, or
 * an access token with the scope `admin`.
 *
 * @see https://linear.app/developers/webhooks
 * @see https://docs.rs/linear-schema/latest/linear_schema/linear/__fields/Webhook/index.html
 */
export const linear: SubscriptionService<z.output<typeof parameters>> = {
  name: 'linear',
  secret: 'created',
  parameters,
  async list(context, known) {
    const data = await query(
      context,
      'query { webhooks(first: 250) { nodes { id url enabled } pageInfo { hasNextPage } } }',
      {},
    )
    const { nodes, pageInfo } = read(list, data['webhooks'])
    if (pageInfo.hasNextPage) throw tooMany()
    return nodes
      .filter(({ id, url }) => url === context.address || id === known?.id)
      .map(({ id, enabled }) => ({ id, isDisabled: !enabled }))
  },
  async create(context) {
    const { team, resourceTypes } = context.parameters
    const scope = team === undefined ? { allPublicTeams: true } : { teamId: team }
    const data = await query(
      context,
      'mutation create($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id secret } } }',
      { input: { url: context.address, resourceTypes, ...scope } },
    )
    const created = done.extend({ webhook: z.object({ id: z.string(), secret: z.string() }) })
    return read(created, data['webhookCreate']).webhook
  },
  async repair(context, { id }) {
    const { resourceTypes } = context.parameters
    const data = await query(
      context,
      'mutation update($id: String!, $input: WebhookUpdateInput!) { webhookUpdate(id: $id, input: $input) { success } }',
      { id, input: { url: context.address, resourceTypes, enabled: true } },
    )
    read(done, data['webhookUpdate'])
    return { id }
  },
  async remove(context, { id }) {
    const text = 'mutation remove($id: String!) { webhookDelete(id: $id) { success } }'
    read(done, (await query(context, text, { id }))['webhookDelete'])
  },
}
