import { isDeepStrictEqual } from 'node:util'
import { VendorApiError } from '@sallyport/internal/vendor-api'
import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, read, readItems } from './api.ts'

const event = z.enum([
  'jira:issue_created',
  'jira:issue_updated',
  'jira:issue_deleted',
  'comment_created',
  'comment_updated',
  'comment_deleted',
  'issue_property_set',
  'issue_property_deleted',
])

const parameters = z.strictObject({
  /** The id of the site, from `https://api.atlassian.com/oauth/token/accessible-resources`. */
  cloudId: z.uuid(),
  /** Such as `project = SHOP`. Jira accepts few fields, and only the operators `=`, `!=`, `IN` and `NOT IN`. */
  jql: z.string().min(1).max(10_000),
  events: z.array(event).min(1),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

/** Jira documents a number of milliseconds, and shows a text with a date. */
const date = z
  .union([z.int(), z.string().max(40)])
  .transform((value) => (typeof value === 'number' ? value : Date.parse(value)))
  .pipe(z.int())
const webhook = z.object({
  id: z.int(),
  url: z.string(),
  jqlFilter: z.string(),
  events: z.array(z.string()),
  expirationDate: date,
})
const list = z.object({ startAt: z.int(), isLast: z.boolean(), values: z.array(webhook) })
const created = z.object({
  webhookRegistrationResult: z.tuple([z.object({ createdWebhookId: z.int().optional() })]),
})

const path = 'webhook'
const open = (context: Context) =>
  connect(context, { baseUrl: `https://api.atlassian.com/ex/jira/${context.parameters.cloudId}/rest/api/3` })

const toBody = (id: string) => ({ webhookIds: [Number(id)] })

/** The answer to the creation has no expiration: the next comparison reads it. */
const lifetimeMs = 30 * 86_400_000

const isWanted = ({ parameters: { jql, events }, address }: Context, one: z.output<typeof webhook>) =>
  one.url === address && one.jqlFilter === jql && isDeepStrictEqual(new Set(one.events), new Set(events))

/**
 * Jira Cloud: a webhook of an OAuth 2.0 app for the issues of a filter, which expires after 30 days. Jira signs with the client secret of
 * the app, and accepts one address for an app. The token is an access token with the scopes `read:jira-work` and `manage:jira-webhook`.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks
 * @see https://developer.atlassian.com/cloud/jira/platform/webhooks/
 */
export const jiraApp: SubscriptionService<z.output<typeof parameters>> = {
  name: 'jira-app',
  secret: 'none',
  parameters,
  async list(context, known) {
    const found = await readItems(open(context), path, {
      query: { maxResults: 100 },
      read: (body) => read(list, body),
      items: ({ values }) => values,
      next: ({ startAt, isLast, values }) =>
        isLast ? undefined : { maxResults: 100, startAt: startAt + values.length },
      signal: context.signal,
    })
    return found
      .filter((one) => isWanted(context, one) || String(one.id) === known?.id)
      .map(({ id, expirationDate }) => ({ id: String(id), expiresAt: expirationDate }))
  },
  async create(context) {
    const { jql, events } = context.parameters
    const body = { url: context.address, webhooks: [{ jqlFilter: jql, events }] }
    const answer = await open(context)(path, { method: 'POST', body, signal: context.signal })
    const [{ createdWebhookId: id }] = read(created, answer.body).webhookRegistrationResult
    if (id === undefined) throw new VendorApiError('REFUSED', 'The service refused the request')
    return { id: String(id), expiresAt: context.now() + lifetimeMs }
  },
  async renew(context, { id }) {
    const request = { method: 'PUT', body: toBody(id), signal: context.signal } as const
    const answer = await open(context)(`${path}/refresh`, request)
    return { id, expiresAt: read(z.object({ expirationDate: date }), answer.body).expirationDate }
  },
  // Jira ignores an unknown id.
  async remove(context, { id }) {
    await open(context)(path, { method: 'DELETE', body: toBody(id), signal: context.signal })
  },
}
