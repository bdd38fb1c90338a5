import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Deepgram: callbacks with transcriptions. */
export const deepgram = defineService({
  name: 'deepgram',
  signature: basicAuth(),
  kind: (event) => getKind(event),
  id: 'metadata.request_id',
  subject: 'metadata.request_id',
  time: 'metadata.created',
  bodyLimit: 25 * 1024 * 1024,
})

/** A callback has no name: it has results, or an error. */
const getKind = (event: unknown): string =>
  Object.hasOwn(Object(event) as object, 'results') ? 'transcription.completed' : 'transcription.failed'

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Deepgram',
  docs: 'https://developers.deepgram.com/docs/callback',
  confidence: 'primary',
  setup: [
    'Add `callback=https://<name>:<text>@<address>` to the request, with a name and a random text.',
    'The secret is `<name>:<text>`.',
  ],
  retries: 'up to ten times, 30 seconds apart',
  traps: [
    'Basic authentication says nothing about the body. The header `dg-token` is the id of the API key, not a secret.',
  ],
}
