import { createVendorApi, VendorApiError } from '@sallyport/internal/vendor-api'
import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { names, read, requireSecret } from './api.ts'

const parameters = z.strictObject({
  /** The types of updates, such as `message`. @default all except those that Telegram excludes */
  events: names.optional(),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const done = z.object({ ok: z.literal(true) })
const info = z.object({ result: z.object({ url: z.string() }) })

/** The token is a part of the address. */
async function open({ token, fetch, now, signal }: Context) {
  const bot = await token({ isRefused: false })
  if (!/^\d{1,20}:[\w-]{20,100}$/.test(bot))
    throw new VendorApiError('INVALID_TOKEN', 'The credential is not the token of a bot')
  const baseUrl = `https://api.telegram.org/bot${bot}`
  const api = createVendorApi({ baseUrl, token: () => '', headers: () => ({}), fetch, now })
  const call = (method: string, body: object) => api(method, { method: 'POST', body, signal })
  return { call, id: bot.slice(0, bot.indexOf(':')) }
}

async function set(context: Context) {
  const { call, id } = await open(context)
  const { body } = await call('setWebhook', {
    url: context.address,
    secret_token: requireSecret(context, /^[\w-]{1,256}$/),
    // An empty list selects the default types; without it, the types of an earlier call stay.
    allowed_updates: context.parameters.events ?? [],
  })
  read(done, body)
  return { id }
}

/**
 * Telegram: the webhook of a bot. A bot has one webhook: that of another address is replaced. The token is that of the bot.
 *
 * @see https://core.telegram.org/bots/api#setwebhook
 */
export const telegram: SubscriptionService<z.output<typeof parameters>> = {
  name: 'telegram',
  secret: 'endpoint',
  parameters,
  async list(context) {
    const { call, id } = await open(context)
    const { body } = await call('getWebhookInfo', {})
    return read(info, body).result.url === context.address ? [{ id }] : []
  },
  create: set,
  repair: set,
  async remove(context) {
    const { call } = await open(context)
    read(done, (await call('deleteWebhook', {})).body)
  },
}
