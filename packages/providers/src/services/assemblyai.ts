import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** AssemblyAI: webhooks of transcripts. */
export const assemblyai = defineService({
  name: 'assemblyai',
  signature: sharedToken({ header: 'x-webhook-secret' }),
  kind: 'status',
  subject: ['transcript_id', 'redacted_audio_url'],
})

export const facts: ServiceFacts = {
  title: 'AssemblyAI',
  docs: 'https://www.assemblyai.com/docs/deployment/webhooks-for-pre-recorded-audio',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://assemblyai.com/docs/deployment/webhooks-for-pre-recorded-audio',
    'https://assemblyai.com/docs/deployment/webhooks-for-streaming-speech-to-text',
  ],
  setup: [
    'Set `webhook_url` to the address when you create a transcript.',
    'Set `webhook_auth_header_name` to `X-Webhook-Secret` and `webhook_auth_header_value` to a random text, which is the secret.',
  ],
  retries: 'ten attempts, ten seconds apart; a status of 4xx is final',
  traps: [
    'The token says nothing about the body.',
    'The body has little more than the id: fetch the transcript.',
    'A webhook of a streaming session has no status: its kind is `unknown`.',
  ],
}
