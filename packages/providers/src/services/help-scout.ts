import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { createAgreement, listNames } from '../agreement.ts'

/** Help Scout: webhooks of an account. */
export const helpScout = defineService({
  name: 'help-scout',
  signature: hmac({ algorithm: 'sha1', encoding: 'base64', header: 'x-helpscout-signature' }),
  kind: { header: 'x-helpscout-event' },
  subject: 'id',
  time: (event) => {
    const { userUpdatedAt, updatedAt } = Object(event) as Readonly<Record<string, unknown>>
    return userUpdatedAt ?? updatedAt
  },
  names: listNames({
    'convo.': 'assigned created custom-fields deleted merged moved status tags',
    'convo.agent.reply.': 'created',
    'convo.ai-answers.': 'created',
    'convo.ai-answers-email.': 'reply.created resolution',
    'convo.customer.reply.': 'created',
    'convo.note.': 'created',
    'customer.': 'created updated deleted',
    'satisfaction.': 'ratings',
    'tag.': 'created updated deleted',
    'organization.': 'created updated deleted',
    'beacon.chat.': 'created customer.replied',
    'message.survey.response.': 'received',
    'user.status.': 'changed',
  }),
  agrees: createAgreement(
    'x-helpscout-event',
    [
      ['folderId', /^convo\./],
      ['firstName', /^customer\./],
    ],
    /^(?:convo|customer)\.created$/,
  ),
})

export const facts: ServiceFacts = {
  title: 'Help Scout',
  docs: 'https://developer.helpscout.com/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.helpscout.com/webhooks/',
    'https://developer.helpscout.net/help-desk-api/webhooks/',
    'https://asyncapi.apis.io/asyncapis/helpscout/helpscout-webhooks-asyncapi/',
  ],
  setup: [
    'Open Manage, Apps, Webhooks, or use the API, and create a webhook with the address and a secret.',
    'The secret is the one that you chose.',
  ],
  retries: 'up to ten times; a 410 deactivates the webhook',
  traps: [
    'The name of the event is in a header that is not signed. A conversation and a customer must agree with it.',
    'A captured delivery can still become another event of its conversation, such as `convo.deleted` for `convo.created`: set `only` of an endpoint to one event, and read the conversation with the API before you act on it.',
  ],
}
