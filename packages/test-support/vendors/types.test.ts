import type { WebhookEvent } from '@clerk/backend'
import type { LinearWebhookPayload } from '@linear/sdk/webhooks'
import type { EmitterWebhookEvent } from '@octokit/webhooks'
import type { EventPayloadMap } from '@octokit/webhooks-types'
import {
  createRunner,
  defineProvider,
  createMemoryInbox,
  type Json,
  type PayloadsBy,
  type PayloadsByAction,
  type WithPayloads,
} from '@sallyport/webhooks'
import type { SlackEvent } from '@slack/types'
import type { APIWebhookEventBody } from 'discord-api-types/v10'
import type Stripe from 'stripe'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { clerk } from '../../providers/src/services/clerk.ts'
import type { discord } from '../../providers/src/services/discord.ts'
import { github } from '../../providers/src/services/github.ts'
import type { linear } from '../../providers/src/services/linear.ts'
import type { slack } from '../../providers/src/services/slack.ts'
import type { stripe } from '../../providers/src/services/stripe.ts'
import type { todoist } from '../../providers/src/services/todoist.ts'

/** The kind of a message has the kind of its conversation. */
type SlackPayloads = {
  [
    One in SlackEvent as One['type'] extends 'message'
      ? `message.${'channels' | 'groups' | 'im' | 'mpim'}`
      : One['type']
  ]: { event: One }
}

/** A payload of any type would match each kind too, and its handlers would have no type. */
type LinearPayloads = {
  [One in LinearWebhookPayload as string extends One['type'] ? never : `${One['type']}.${One['action']}`]: One
}

it('gives handlers the types that the vendors publish', () => {
  type Providers = [
    WithPayloads<typeof github, PayloadsByAction<EventPayloadMap>>,
    WithPayloads<typeof stripe, PayloadsBy<Stripe.Event, 'type'>>,
    WithPayloads<typeof clerk, PayloadsBy<WebhookEvent, 'type'>>,
    WithPayloads<typeof linear, LinearPayloads>,
    WithPayloads<typeof slack, SlackPayloads>,
    WithPayloads<typeof discord, { [One in APIWebhookEventBody as `${One['type']}`]: { event: One } }>,
    typeof todoist,
  ]
  const inbox = createMemoryInbox()
  const runner = createRunner<Providers>({
    inbox,
    on: {
      'github/push': ({ data }) => data.head_commit?.id satisfies string | undefined,
      'github/issues.opened': ({ data }) => data.issue.title satisfies string,
      'stripe/invoice.paid': ({ data }) => data.data.object.amount_paid satisfies number,
      'clerk/user.created': ({ data }) => data.data.first_name satisfies string | null,
      'slack/message.channels': ({ data }) => data.event.channel satisfies string,
      'slack/app_mention': ({ data }) => data.event.text satisfies string,
      'discord/ENTITLEMENT_CREATE': ({ data }) => data.event.data.sku_id satisfies string,
      'linear/Issue.create': ({ data }) => data.data.title satisfies string,
      'linear/AgentSessionEvent.created': {
        timeoutMs: 60_000,
        handler: ({ data }) => data.agentSession.id satisfies string,
      },
      // A service without types has unknown data.
      'todoist/item.added': ({ data }) => data satisfies unknown,
    },
  })
  expect(runner).toHaveProperty('start')

  // @ts-expect-error GitHub has no such action
  createRunner<Providers>({ inbox, on: { 'github/issues.teleported': () => undefined } })
  createRunner<Providers>({
    inbox,
    // @ts-expect-error the title is a text
    on: { 'github/issues.opened': ({ data }) => data.issue.title satisfies number },
  })
})

it('accepts payloads of octokit as data of events, also with intersections of arrays', () => {
  type Payloads = PayloadsByAction<EventPayloadMap>
  // Regression: an intersection of arrays was not accepted.
  const closed = z.custom<Payloads['issues.closed']>()
  const generated = z.custom<EmitterWebhookEvent<'issues.closed'>['payload']>()
  const { name, signature } = github
  const events = { 'issues.closed': closed, 'issues.closed-generated': generated }
  expect(defineProvider({ name, signature, events, normalize: () => [] }).events).toBe(events)
  type All = { [Kind in keyof Payloads]: z.ZodType<Payloads[Kind]> }
  const all = {} as All
  expect(defineProvider({ name, signature, events: all, normalize: () => [] }).events).toBe(all)

  const handler = ({ data }: { data: Json<Payloads['issues.closed']> }) => data.issue.labels?.[0]?.name
  expectTypeOf(handler).returns.toEqualTypeOf<string | undefined>()
  createRunner<[WithPayloads<typeof github, Payloads>]>({
    inbox: createMemoryInbox(),
    on: { 'github/issues.closed': handler },
  })
})
