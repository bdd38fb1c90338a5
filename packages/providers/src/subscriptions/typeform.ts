import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, host, read } from './api.ts'

const parameters = z.strictObject({
  form: z.string().regex(/^[\w-]{1,64}$/),
  /** The API of a data center, such as `https://api.eu.typeform.com`. */
  baseUrl: host.default('https://api.typeform.com'),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const webhook = z.object({ tag: z.string(), url: z.string(), enabled: z.boolean() })

function open(context: Context) {
  const { form, baseUrl } = context.parameters
  return { api: connect(context, { baseUrl }), path: `forms/${form}/webhooks` }
}

/** The request creates and changes the webhook with a tag. */
async function put(context: Context, tag: string) {
  const { api, path } = open(context)
  const [secret] = context.secrets
  const body = { url: context.address, enabled: true, secret, verify_ssl: true }
  await api(`${path}/${encodeURIComponent(tag)}`, { method: 'PUT', body, signal: context.signal })
  return { id: toId(context, tag) }
}

/** Two forms of one address have equal tags. */
const toId = ({ parameters: { form } }: Context, tag: string) => `${form}/${tag}`
const toTag = (id: string) => id.slice(id.indexOf('/') + 1)

/**
 * Typeform: the webhook of a form. Its tag is `sallyport-` and the last part of the address. The token is a personal token, or
 * that of an OAuth app with `webhooks:read` and `webhooks:write`.
 *
 * @see https://www.npmjs.com/package/@typeform/api-client
 */
export const typeform: SubscriptionService<z.output<typeof parameters>> = {
  name: 'typeform',
  secret: 'endpoint',
  parameters,
  async list(context, known) {
    const { api, path } = open(context)
    const { body } = await api(path, { signal: context.signal })
    const { items } = read(z.object({ items: z.array(webhook) }), body)
    return items
      .filter(({ tag, url }) => url === context.address || toId(context, tag) === known?.id)
      .map(({ tag, enabled }) => ({ id: toId(context, tag), isDisabled: !enabled }))
  },
  create: (context) =>
    put(context, `sallyport-${context.address.slice(context.address.lastIndexOf('/') + 1)}`),
  repair: (context, { id }) => put(context, toTag(id)),
  async remove(context, { id }) {
    const { api, path } = open(context)
    const request = { method: 'DELETE', signal: context.signal } as const
    await deleteOnce(api(`${path}/${encodeURIComponent(toTag(id))}`, request))
  },
}
