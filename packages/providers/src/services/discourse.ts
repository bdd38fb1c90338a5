import { defineService, hmac, parseFormJson, type ServiceFacts } from '@sallyport/webhooks'
import { agreesWithType, discourseEvents, isUndated, nameEvent } from '../discourse-events.ts'

/** Discourse: webhooks of a site. */
export const discourse = defineService({
  name: 'discourse',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-discourse-event-signature',
    prefix: 'sha256=',
  }),
  parse: parseFormJson('payload'),
  kind: (event, delivery) => nameEvent(event, delivery),
  // Only posts and a few other entities have a time of change.
  distinct: isUndated,
  names: discourseEvents,
  agrees: agreesWithType,
  subject: ['topic.id', 'post.id', 'user.id'],
})

export const facts: ServiceFacts = {
  title: 'Discourse',
  docs: 'https://meta.discourse.org/t/configure-webhooks-that-trigger-on-discourse-events/49045',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://meta.discourse.org/t/configure-webhooks-that-trigger-on-discourse-events/49045',
    'https://github.com/discourse/discourse/blob/main/app/jobs/regular/emit_web_hook_event.rb',
    'https://github.com/discourse/discourse/blob/main/config/initializers/012-web_hook_events.rb',
  ],
  setup: [
    'Open Admin, API, Webhooks, and add a webhook with the address and a secret.',
    'The secret is the one that you chose.',
  ],
  retries:
    'four times, after 1, 5, 25 and 125 minutes, if the setting of the site is on; a status of 404 or 410 deactivates the webhook',
  traps: [
    'The name of the event is in a header that is not signed. It must agree with the signed body.',
    'A captured delivery can still become an event whose body has the same form, such as `post_destroyed` for `post_edited`: set `only` of an endpoint to one event, and read the entity with the API before you act on it.',
    'Most bodies have no time of change, and two changes can have equal bodies: each delivery without `updated_at` is an event, a repeated attempt too. `x-discourse-event-id` is new for each attempt.',
  ],
}
