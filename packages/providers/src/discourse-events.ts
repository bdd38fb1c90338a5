import { listNames } from './agreement.ts'

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
  '': 'accepted_solution unaccepted_solution assigned unassigned',
})
