import { createVendorApi, VendorApiError } from '@sallyport/internal/vendor-api'
import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { listKnown } from './api.ts'

const parameters = z.strictObject({
  /** The id of a channel. */
  channel: z.string().regex(/^[\w-]{1,64}$/),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const leaseSeconds = 432_000
const verifyPrefix = 'verify:'

/** @see https://www.w3.org/TR/websub/#subscriber-sends-subscription-request */
async function send(context: Context, mode: 'subscribe' | 'unsubscribe') {
  const { parameters: given, address, secrets, fetch, now, signal } = context
  const secret = secrets.find((one) => !one.startsWith(verifyPrefix))
  const verifyToken = secrets.find((one) => one.startsWith(verifyPrefix))?.slice(verifyPrefix.length)
  if (mode === 'subscribe' && (secret === undefined || verifyToken === undefined))
    throw new VendorApiError('INVALID_SECRET', 'The endpoint needs a secret and a verify token')
  const baseUrl = 'https://pubsubhubbub.appspot.com'
  const api = createVendorApi({ baseUrl, token: () => '', headers: () => ({}), fetch, now })
  const body = new URLSearchParams({
    'hub.mode': mode,
    'hub.topic': `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${given.channel}`,
    'hub.callback': address,
    'hub.verify': 'async',
    'hub.verify_token': verifyToken ?? '',
    ...(mode === 'subscribe' && { 'hub.secret': secret ?? '', 'hub.lease_seconds': String(leaseSeconds) }),
  })
  await api('subscribe', { method: 'POST', body, signal })
}

async function subscribe(context: Context) {
  const expiresAt = context.now() + leaseSeconds * 1000
  await send(context, 'subscribe')
  return { id: context.parameters.channel, expiresAt }
}

/**
 * YouTube: the WebSub subscription of a channel, which needs no token. The hub lists none, and a repeated request extends the
 * subscription.
 *
 * @see https://developers.google.com/youtube/v3/guides/push_notifications
 * @see https://www.w3.org/TR/websub/
 */
export const youtube: SubscriptionService<z.output<typeof parameters>> = {
  name: 'youtube',
  secret: 'endpoint',
  parameters,
  list: listKnown,
  create: subscribe,
  renew: subscribe,
  repair: subscribe,
  remove: (context) => send(context, 'unsubscribe'),
}
