import type { VerifiedDelivery } from '@sallyport/webhooks'
import { createAgreement, listNames } from './agreement.ts'

/** The events of Discourse and of its plugins. */
export const discourseEvents = listNames({
  topic_: 'created edited destroyed recovered upvote unvote',
  topic_closed_: 'status_updated',
  topic_autoclosed_: 'status_updated',
  topic_archived_: 'status_updated',
  topic_visible_: 'status_updated',
  topic_pinned_: 'status_updated globally_status_updated',
  post_: 'created edited destroyed recovered liked',
  user_: 'created updated approved confirmed_email logged_in logged_out destroyed anonymized suspended',
  user_badge_: 'granted revoked',
  user_added_to_: 'group',
  user_removed_from_: 'group',
  user_promoted: ' _to_trust_level',
  category_: 'created updated destroyed experts_approved experts_unapproved',
  group_: 'created updated destroyed',
  tag_: 'created updated destroyed',
  reviewable_: 'created updated score_updated transitioned_to',
  notification_: 'created',
  chat_message_: 'created edited trashed restored',
  calendar_event_: 'created updated destroyed',
  like_: 'created destroyed',
  '': 'accepted_solution unaccepted_solution assigned unassigned ping',
})

/** The names of Discourse itself. A plugin can write its own type. */
const core =
  /^(?:topic_(?!upvote$|unvote$)|post_|user_|group_|category_(?!experts_)|tag_|reviewable_|notification_)/

/** Compares the name in the unsigned header with the signed member of the body that has the entity. */
export const agreesWithType = createAgreement(
  'x-discourse-event',
  [
    ['topic', /^topic_(?!upvote$|unvote$)/],
    ['topic_voting', /^topic_(?:upvote|unvote)$/],
    ['post', /^post_(?!liked$)/],
    ['like', /^(?:post_liked$|like_)/],
    ['user', /^user_(?!badge_|promoted|added_to_|removed_from_)/],
    ['user_badge', /^user_badge_/],
    ['user_promoted', /^user_promoted/],
    ['group_user', /^user_(?:added_to|removed_from)_group$/],
    ['group', /^group_/],
    ['category', /^category_(?!experts_)/],
    ['category_experts', /^category_experts_/],
    ['tag', /^tag_/],
    ['reviewable', /^reviewable_/],
    ['notification', /^notification_/],
    ['solved', /^(?:un)?accepted_solution$/],
    ['assign', /^(?:un)?assigned$/],
    ['chat_message', /^chat_message_/],
    ['calendar_event', /^calendar_event_/],
  ],
  core,
)

/** Returns the name in the header. A ping has none. */
export function nameEvent(event: unknown, { headers }: VerifiedDelivery): string | undefined {
  return (
    headers.get('x-discourse-event') ?? (Object.hasOwn(Object(event) as object, 'ping') ? 'ping' : undefined)
  )
}

/** Reports whether no entity of a body has a time of change. */
export const isUndated = (event: unknown): boolean =>
  !Object.values(Object(event) as object).some(
    (entity) => typeof (Object(entity) as { updated_at?: unknown }).updated_at === 'string',
  )
