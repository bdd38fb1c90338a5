import { defineService, hmac, parseFormJson, type ServiceFacts } from '@sallyport/webhooks'
import { discourseEvents } from '../discourse-events.ts'

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
  kind: { header: 'x-discourse-event' },
  names: discourseEvents,
  agrees: ({ headers, payload }) => {
    const type = headers.get('x-discourse-event-type') ?? ''
    const name = headers.get('x-discourse-event') ?? ''
    return Object.hasOwn(Object(payload) as object, type) && name.startsWith(type)
  },
  subject: ['topic.id', 'post.id', 'user.id', 'category.id', 'tag.id', 'group.id', 'reviewable.id'],
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Discourse',
  docs: 'https://meta.discourse.org/t/configure-webhooks-that-trigger-on-discourse-events/49045',
  confidence: 'primary',
  setup: [
    'Open Admin, API, Webhooks, and add a webhook with the address and a secret.',
    'The secret is the one that you chose.',
  ],
  retries:
    'four times, after 1, 5, 25 and 125 minutes, if the setting of the site is on; a status of 404 or 410 deactivates the webhook',
  traps: [
    'The name of the event is in a header that is not signed. It must agree with the signed body.',
    'A captured delivery can still become an event whose body has the same form, such as `post_destroyed` for `post_edited`: set `only` of an endpoint to one event, and read the entity with the API before you act on it.',
    '`x-discourse-event-id` is new for each attempt.',
  ],
}
