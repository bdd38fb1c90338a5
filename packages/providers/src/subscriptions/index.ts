/**
 * How services register the address of a webhook, for the option `subscriptions` of `createWebhooks`.
 *
 * @module
 */
import type { SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { asana } from './asana.ts'
import { calendly } from './calendly.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { gmail } from './gmail.ts'
import { googleCalendar, googleDrive } from './google.ts'
import { jiraApp } from './jira-app.ts'
import { linear } from './linear.ts'
import { microsoftGraph } from './microsoft-graph.ts'
import { shopify } from './shopify.ts'
import { stripe } from './stripe.ts'
import { telegram } from './telegram.ts'
import { twitch } from './twitch.ts'
import { typeform } from './typeform.ts'
import { youtube } from './youtube.ts'
import { zendesk } from './zendesk.ts'

/**
 * The services whose webhooks can be registered: Asana, Calendly, GitHub, GitLab, Gmail, Google Calendar, Google Drive, Jira, Linear,
 * Microsoft Graph, Shopify, Stripe, Telegram, Twitch, Typeform, YouTube and Zendesk.
 */
export const subscriptionServices: readonly SubscriptionService[] = [
  ...[asana, calendly, github, gitlab, gmail, googleCalendar, googleDrive, jiraApp, linear, microsoftGraph],
  ...[shopify, stripe, telegram, twitch, typeform, youtube, zendesk],
]
