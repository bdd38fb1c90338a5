import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, listKnown, read } from './api.ts'

const parameters = z.strictObject({
  /** The address of the mailbox. */
  mailbox: z.email().max(254),
  /** Such as `projects/acme/topics/gmail`. Gmail may publish to it. */
  topic: z.string().regex(/^projects\/[a-z][a-z0-9:.-]{4,62}\/topics\/[A-Za-z][\w.~+%-]{2,254}$/),
  /** The ids of labels, such as `INBOX`. @default all changes of the mailbox */
  labels: z.array(z.string().min(1).max(256)).min(1).max(100).optional(),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const watched = z.object({ expiration: z.string().regex(/^\d{1,16}$/) })

async function send(context: Context, action: 'watch' | 'stop', body?: object): Promise<unknown> {
  const { mailbox } = context.parameters
  const api = connect(context, { baseUrl: 'https://gmail.googleapis.com/gmail/v1' })
  const path = `users/${encodeURIComponent(mailbox)}/${action}`
  return (await api(path, { method: 'POST', body, signal: context.signal })).body
}

async function watch(context: Context) {
  const { mailbox, topic, labels } = context.parameters
  const selected = labels && { labelIds: labels, labelFilterBehavior: 'include' }
  const answer = await send(context, 'watch', { topicName: topic, ...selected })
  return { id: mailbox, expiresAt: Number(read(watched, answer).expiration) }
}

/**
 * Gmail: the watch of a mailbox, which publishes to a topic. A push subscription of the topic, which you create, sends to the provider
 * `google-pubsub`. Gmail lists no watches, a mailbox has one, and a repeated request extends it. The token needs the scope
 * `gmail.metadata` or `gmail.readonly`.
 *
 * @see https://developers.google.com/gmail/api/guides/push
 * @see https://developers.google.com/gmail/api/reference/rest/v1/users/watch
 */
export const gmail: SubscriptionService<z.output<typeof parameters>> = {
  name: 'gmail',
  provider: 'google-pubsub',
  secret: 'none',
  parameters,
  list: listKnown,
  create: watch,
  renew: watch,
  repair: watch,
  async remove(context) {
    await send(context, 'stop')
  },
}
