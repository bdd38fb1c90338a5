import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** SurveyMonkey: webhooks of an app. */
export const surveymonkey = defineService({
  name: 'surveymonkey',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha1', encoding: 'base64', header: 'sm-signature' }),
  kind: 'event_type',
  subject: ['object_type', 'object_id'],
  time: 'event_datetime',
  handshake: fixedHandshake({ methods: ['HEAD'] }),
})

export const facts: ServiceFacts = {
  title: 'SurveyMonkey',
  docs: 'https://api.surveymonkey.com/v3/docs#webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://asyncapi.apis.io/asyncapis/surveymonkey/surveymonkey-asyncapi/'],
  setup: [
    'Create a webhook with the address with the API.',
    'The secret is `client_id&client_secret` of the app, joined by an ampersand.',
  ],
  retries: 'unknown',
  traps: ['The payload has only ids: read the response with the API.'],
}
