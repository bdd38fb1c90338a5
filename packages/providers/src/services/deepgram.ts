import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Deepgram: callbacks with transcriptions. */
export const deepgram = defineService({
  name: 'deepgram',
  signature: basicAuth(),
  kind: getKind,
  subject: 'metadata.request_id',
  time: 'metadata.created',
  bodyLimit: 25 * 1024 * 1024,
})

/** A streaming response has a type. Other callbacks have results or an error. */
function getKind(event: unknown): unknown {
  const { type, results, err_code: error } = Object(event) as Callback
  if (results === undefined) return error === undefined ? type : 'transcription.failed'
  return Object.hasOwn(Object(results) as object, 'channels')
    ? 'transcription.completed'
    : 'analysis.completed'
}

interface Callback {
  readonly type?: unknown
  readonly results?: unknown
  readonly err_code?: unknown
}

export const facts: ServiceFacts = {
  title: 'Deepgram',
  docs: 'https://developers.deepgram.com/docs/callback',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.deepgram.com/docs/callback',
    'https://developers.deepgram.com/docs/text-intelligence-callback.md',
    'https://developers.deepgram.com/docs/errors',
  ],
  setup: [
    'Add `callback=https://<name>:<text>@<address>` to the request, with a name and a random text.',
    'The secret is `<name>:<text>`.',
  ],
  retries: 'up to ten times, 30 seconds apart',
  traps: [
    'A stream sends each response with the id of its request. The kind is then the type, such as `Results`.',
    'Leave `callback_method` at POST. A callback of text to speech is audio, which this provider quarantines.',
    'Basic authentication says nothing about the body. The header `dg-token` is the id of the API key, not a secret.',
  ],
}
